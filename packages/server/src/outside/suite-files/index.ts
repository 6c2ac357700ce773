// What the console needs of this folder: the file beside a form is read and written as the service does.
export { parseSuiteFile } from './parse-suite-file.ts';
export { writeSuiteFile } from './write-suite-file.ts';
