"""Solutions as students write them: right ones in many styles, and wrong ones with what is wrong marked in them."""
