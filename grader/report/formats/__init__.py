"""The formats that platforms and CI services read, a module each. docs/formats.md says where each goes."""
