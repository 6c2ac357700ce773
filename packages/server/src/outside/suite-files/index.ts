// The exports for the console, which shows the suite file next to a form and must read and write it
// exactly as the service does.
export { parseSuiteFile } from './parse-suite-file.ts';
export { writeSuiteFile } from './write-suite-file.ts';
