export class DataFileProblem extends Error {
  constructor(message: string, line?: number) {
    super(line === undefined ? message : `Line ${line}: ${message}`);
    this.name = 'DataFileProblem';
  }
}
