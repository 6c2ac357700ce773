// A program that is not a server: it exits at once.
process.exit(3);
