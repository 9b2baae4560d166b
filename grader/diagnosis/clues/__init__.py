"""What a source gives away of a result that is not right, one kind each."""
