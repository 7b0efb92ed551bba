"""What an analysis found and how it was done, to be put into a paper, with the works it rests on."""
