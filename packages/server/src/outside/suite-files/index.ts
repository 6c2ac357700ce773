// The exports for the console, which reads and writes the file beside a form like the service does.
export { parseSuiteFile } from './parse-suite-file.ts';
export { writeSuiteFile } from './write-suite-file.ts';
