// A program that is no server: it ends at once.
process.exit(3);
