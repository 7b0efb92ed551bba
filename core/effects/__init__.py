"""How large an effect is over many datasets, and tests of whether it is there on average."""
