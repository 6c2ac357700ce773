/**
 * Writes report files in any number of formats, in addition to the printed result. Each report
 * contains all tested suites. `-` is standard output, which only one format can use.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { version } from '@proofmark/contract';
import { isRecord } from '@proofmark/domain';
import {
  type ChangedPin,
  documentSuite,
  type JunitRun,
  plainSentence,
  renderJunitOfAll,
  renderSummaries,
  renderSummary,
  type SuiteReadout,
  suiteToSum,
  sumHeadline,
  type TestDocument,
  testDocument,
  testSarif,
} from '@proofmark/report';
import type { Command } from 'commander';
import { printJson } from '../../output.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { writeOutput } from '../../remote/write-output.ts';
import { sha256Hex } from './record-files.ts';
import { type ReportedService, type TestedSuite, toRender } from './test-suite.ts';

/**
 * `json` is true for `--json` without a file name. One line of JSON for each suite is then printed.
 */
export interface ReportFlags {
  readonly json?: true | string;
  readonly html?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly sarif?: string;
}

const formats = ['json', 'html', 'junit', 'markdown', 'sarif'] as const;
type Format = (typeof formats)[number];

export interface TestedCall {
  readonly suites: readonly TestedSuite[];
  readonly service: ReportedService;
  /** Number of suites to test. */
  readonly asked: number;
  readonly exitCode: number;
  readonly changedPins?: readonly ChangedPin[];
}

export function withReportFlags(command: Command): Command {
  return command
    .option(
      '--json [file]',
      'write one JSON document of all suites; without a file, print one JSON object for each suite',
    )
    .option('--html <file>', 'write one HTML file that needs nothing else (- for standard output)')
    .option('--junit <file>', 'write JUnit XML')
    .option('--markdown <file>', 'write Markdown, for a comment on a pull request')
    .option('--sarif <file>', 'write SARIF 2.1.0: failed cases at their lines');
}

export function wantsReports(flags: ReportFlags): boolean {
  return formats.some((format) => flags[format] !== undefined);
}

export function reportFiles(flags: ReportFlags): (string | true | undefined)[] {
  return formats.map((format) => flags[format]);
}

/** Whether a report uses standard output. The normal result is then not printed. */
export function takesOutput(flags: ReportFlags): boolean {
  return flags.json === true || formats.some((format) => flags[format] === '-');
}

/**
 * Runs before the test. Rejects report files that would overwrite each other, and two reports on
 * standard output.
 */
export function refuseReports(flags: ReportFlags & { readonly watch?: true }): void {
  const [given, ...others] = formats.filter((format) => flags[format] !== undefined);
  if (given !== undefined && flags.watch) {
    throw new UsageProblem(`--watch writes no reports; remove --${given}.`);
  }
  const ofOutput = formats.filter((format) => flags[format] === true || flags[format] === '-');
  if (ofOutput.length > 1) {
    const named = ofOutput.map((format) => `--${format}`).join(' and ');
    throw new UsageProblem(
      `Only one report can go to standard output, not ${named}; give the others a file.`,
    );
  }
  const files = new Map<string, Format>();
  for (const format of given === undefined ? [] : [given, ...others]) {
    const file = flags[format];
    if (typeof file !== 'string' || file === '-') continue;
    refuseDestination(format, file);
    const place = path.resolve(file);
    const other = files.get(place);
    if (other !== undefined) {
      throw new UsageProblem(`--${other} and --${format} name the same file, ${file}.`);
    }
    files.set(place, format);
  }
}

/**
 * Interprets `--json shop.suite.yaml` as `--json` without a file, followed by a suite. A report is
 * never written to a suite file.
 */
export function readSuiteAfterJson<Flags extends ReportFlags>(
  named: readonly string[],
  flags: Flags,
): { readonly named: readonly string[]; readonly flags: Flags } {
  const { json } = flags;
  if (typeof json !== 'string' || !isSuite(json)) return { named, flags };
  return { named: [json, ...named], flags: { ...flags, json: true } };
}

function isNamedLikeSuite(file: string): boolean {
  return /\.(?:ya?ml|suite\.json)$|(?:^|[\\/])proofmark[\\/][^\\/]+\.json$/i.test(file);
}

/** Whether the file is named like a suite, or exists and contains a suite. */
function isSuite(file: string): boolean {
  if (isNamedLikeSuite(file)) return true;
  try {
    const { size } = statSync(file);
    const held: unknown =
      size > mostSuiteBytes ? undefined : JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(held) && 'schemaVersion' in held && ('cases' in held || 'suite' in held);
  } catch {
    return false;
  }
}

const mostSuiteBytes = 64 * 1024 * 1024;

/** Rejects a suite file as a destination, because the report would overwrite it. */
export function refuseDestination(flag: string, file: string): void {
  if (file === '-') return;
  if (isSuite(file)) {
    const what = isNamedLikeSuite(file) ? 'is named like a suite' : 'is a suite';
    throw new UsageProblem(
      `--${flag} would write its report to ${file}, which ${what}; name another file.`,
    );
  }
}

/**
 * Creates the folders of reports before anything is tested, so that no result is lost because of a
 * missing folder.
 */
export function makeReportFolders(files: readonly (string | true | undefined)[]): void {
  for (const file of files) if (typeof file === 'string' && file !== '-') makeFolderOf(file);
}

/** Returns a total for several suites, or undefined for one suite. */
export function sumLine(call: TestedCall, ascii: boolean): string | undefined {
  return call.asked < 2 ? undefined : plainSentence(sumOf(call), ascii);
}

function sumOf({ suites, asked, changedPins }: TestedCall) {
  return sumHeadline(
    suites.map(({ readout }) => suiteToSum(readout)),
    asked,
    changedPins,
  );
}

export function printSuiteJson(suite: SuiteReadout): void {
  printJson(documentSuite(suite));
}

export async function writeReports(flags: ReportFlags, call: TestedCall): Promise<void> {
  for (const format of formats) {
    const file = flags[format];
    if (typeof file !== 'string') continue;
    await writeReport(textOf(format, call), file);
  }
}

export async function writeReport(text: string, file: string): Promise<void> {
  if (file !== '-') makeFolderOf(file);
  await writeOutput(text, file);
}

function textOf(format: Format, call: TestedCall): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(documentOf(call), null, 2)}\n`;
    case 'sarif':
      return testSarif(withRelativeFiles(documentOf(call)), { version, sha256Hex });
    case 'junit':
      return renderJunitOfAll(
        call.suites.map((one) => junitRun(one, call.service)),
        call.changedPins,
      );
    case 'html':
    case 'markdown': {
      const summaries = call.suites.map((one) => toRender(one, call.service));
      const [only] = summaries;
      return only !== undefined && call.asked === 1 && !call.changedPins?.length
        ? renderSummary(only.summary, { ...only.options, format })
        : renderSummaries(format, sumOf(call), summaries);
    }
  }
}

function documentOf(call: TestedCall): TestDocument {
  const readouts = call.suites.map(({ readout }) => readout);
  return testDocument(readouts, call);
}

function junitRun(tested: TestedSuite, service: ReportedService): JunitRun {
  const { run } = tested.decision;
  const { summary, options } = toRender(tested, service);
  const { runNumber, createdAt: startedAt, completedAt: endedAt } = run;
  const { passed } = tested.readout;
  const ofRun = { suiteName: tested.name, runNumber, startedAt, endedAt, passed };
  return { summary, options: { ...options, ...ofRun } };
}

/** SARIF needs file names relative to the working directory, however the user wrote them. */
function withRelativeFiles(document: TestDocument): TestDocument {
  const suites = document.suites.map((suite) =>
    suite.file === '-' ? suite : { ...suite, file: path.relative('.', suite.file) },
  );
  return { ...document, suites };
}

function makeFolderOf(file: string): void {
  try {
    makeFolder(path.dirname(path.resolve(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageProblem(
      `The folder of ${file} cannot be made (${code ?? 'unknown reason'}); name another file.`,
    );
  }
}

/**
 * Creates a folder and its parents one by one. In file systems such as `/proc`, Node's `mkdirSync`
 * with `recursive` never returns.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}
