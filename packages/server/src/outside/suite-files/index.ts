// Exports for the console and the command line, which must read and write suite files exactly as
// the service does.
export { parseSuiteFile } from './parse-suite-file.ts';
export { quoteCalls } from './quote-calls.ts';
export { writeSuiteFile } from './write-suite-file.ts';
