// Reads the output of `jest --json`, whose format Vitest's JSON reporter also writes: files in
// `testResults`, each with its tests in `assertionResults`. A test's status is the final one:
// messages from earlier tries of a passed test are dropped. A failed file without a failed test is
// an error of the report.
import type { JsonReader } from './json-reader.ts';
import { ReportProblem, reportLimits } from './report.ts';
import type { Outcome, ReportBuilder } from './report-builder.ts';

const outcomes = new Map<string, Outcome>([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
  ['todo', 'skipped'],
  ['disabled', 'skipped'],
]);

export function readTestResults(json: JsonReader, builder: ReportBuilder): void {
  if (json.peek() !== '[')
    throw new ReportProblem('The field testResults is not a list of test files.');
  json.array(() => readFile(json, builder));
}

function readFile(json: JsonReader, builder: ReportBuilder): void {
  const file = { name: '', status: '', message: '' };
  let failedTests = 0;
  json.object({
    name: () => {
      file.name = json.string() ?? '';
    },
    status: () => {
      file.status = json.string() ?? '';
    },
    message: () => {
      file.message = json.string() ?? '';
    },
    assertionResults: () => {
      json.array(() => {
        if (readTest(json, builder) === 'failed') failedTests += 1;
      });
    },
  });
  if (file.status === 'failed' && failedTests === 0) {
    builder.addError(file.name, file.message || 'the file failed outside its tests');
  }
}

function readTest(json: JsonReader, builder: ReportBuilder): Outcome | undefined {
  const test = { fullName: '', title: '', status: '' };
  const ancestors: string[] = [];
  let error = '';
  let durationMs: number | undefined;
  json.object({
    fullName: () => {
      test.fullName = json.string() ?? '';
    },
    title: () => {
      test.title = json.string() ?? '';
    },
    status: () => {
      test.status = json.string() ?? '';
    },
    duration: () => {
      durationMs = json.number();
    },
    ancestorTitles: () => json.array(() => addWithin(ancestors, json.string())),
    failureMessages: () => {
      json.array(() => {
        const message = json.string() ?? '';
        if (error.length < reportLimits.errorLength)
          error += error === '' ? message : `\n${message}`;
      });
    },
  });
  const title = test.fullName || [...ancestors, test.title].filter((part) => part).join(' ');
  const outcome = outcomes.get(test.status);
  if (outcome === undefined) {
    builder.addError(title, `the status ${JSON.stringify(test.status.slice(0, 60))} is not known`);
  } else {
    builder.addTest(title, outcome, durationMs, error);
  }
  return outcome;
}

function addWithin(list: string[], text: string | undefined): void {
  if (text && list.length < reportLimits.depth) list.push(text);
}
