// A program that is no server: it ends as soon as it is started.
process.exit(3);
