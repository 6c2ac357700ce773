// The exports for the console, which shows the suite file next to a form and must read and write it
// exactly as the service does, and for the command line, which reads a file before it sends it.
export { parseSuiteFile } from './parse-suite-file.ts';
export { quoteCalls } from './quote-calls.ts';
export { writeSuiteFile } from './write-suite-file.ts';
