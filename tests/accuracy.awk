{exit}
