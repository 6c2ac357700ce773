/**
 * Reads a suite file, validates it, and finds its servers. Importing a suite and running one from a
 * file both use this code.
 */
import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  attachDataRows,
  type CaseToWarnOf,
  type EvalCaseDefinition,
  invalid,
  quarantineProblemOfFile,
  type SuiteFile,
  suiteFromFile,
  type ValueProblem,
} from '@proofmark/domain';
import { readSuiteFile } from '../../../../outside/suite-files/read-suite-file.ts';
import type { SuiteFileWarning } from '../../../../outside/suite-files/refused-file.ts';
import {
  type FoundPlace,
  findWritten,
  type WrittenPlaces,
} from '../../../../outside/suite-files/written-places.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import type { NamedServer } from '../../../servers/index.ts';
import { findServerByName } from './find-server-by-name.ts';
import { problemsOfCase } from './refuse-assertions.ts';
import { manyRows, manyRowsProblem, rowProblem } from './refuse-rows.ts';

export const modelPath = 'body.content.defaults.model';
export const allowWritesPath = 'body.content.defaults.allowWrites';

export interface ImportedFile {
  readonly file: SuiteFile;
  readonly places: WrittenPlaces;
  /** Texts that end at a `#`; absent if there are none. */
  readonly cut?: readonly SuiteFileWarning[];
}

/** Rejects an invalid file, and lists all its mistakes in the refusal. */
export async function readImportedFile(
  body: Pick<BodyOf<'importEvalSuite'>, 'content' | 'dataFiles' | 'model' | 'serverIds'>,
): Promise<ImportedFile> {
  const { model } = body;
  const help = {
    servers: Object.keys(body.serverIds ?? {}),
    ...(model !== undefined && { model }),
  };
  const read = await readSuiteFile(body.content, undefined, help);
  if ('findings' in read) {
    const [first] = read.findings;
    const path = first.path === '' ? 'body.content' : `body.content.${first.path}`;
    return refuse(invalid(path, first.message, { reason: first.code, findings: read.findings }));
  }
  const brought = attachDataRows(onModel(read.file, model), body.dataFiles ?? {});
  if ('problem' in brought) return refuseFinding(brought.problem, read.places);
  const imported = { ...read, file: brought.file };
  refuseAssertionsOf(imported);
  await refuseRowsOf(imported);
  return imported;
}

/** Replaces the file's model with the model of the import. A case with its own model keeps it. */
function onModel(file: SuiteFile, model: string | undefined): SuiteFile {
  if (model === undefined || file.mode === 'serverContract') return file;
  return { ...file, defaults: { ...file.defaults, model } } as SuiteFile;
}

export function placedIn(cases: readonly EvalCaseDefinition[]): CaseToWarnOf[] {
  return cases.map((definition, index) => ({
    path: `body.content.cases[${index}]`,
    definition,
    checksName: 'assertions',
    modelsName: 'model',
  }));
}

function refuseAssertionsOf({ file, places }: ImportedFile): void {
  const problems = placedIn(suiteFromFile(file).cases).flatMap(problemsOfCase);
  const findings = problems.map(({ path, message }) => {
    const found = findWritten(places, path.replace('body.content.', ''));
    const sentence = `${found.position}${found.path}: ${message}`;
    return { path: found.path, code: 'SUITE_FILE_INVALID', message: sentence };
  });
  const [first] = findings;
  if (first === undefined) return;
  const details = { reason: first.code, findings: findings.slice(0, mostFindings) };
  refuse(invalid(`body.content.${first.path}`, first.message, details));
}

function refuseFinding({ path, message }: ValueProblem, places: WrittenPlaces): never {
  const spelled = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  const place = spelled.join('').slice(1);
  return refuseAt(findWritten(places, place), message);
}

/** Rejects quarantine entries whose end is not allowed at the time `now`. */
export function refuseQuarantineOf({ file, places }: ImportedFile, now: Date): void {
  const problem = quarantineProblemOfFile(file, now.getTime());
  if (problem !== undefined) refuseFinding(problem, places);
}

/** Entries from the API are kept, so together with the file's entries they may exceed the limit. */
export function refuseFullQuarantine({ places }: ImportedFile, most: number): never {
  const message = `The file and the API together put more than ${most} cases into quarantine, the limit of this suite; remove an entry.`;
  return refuseFinding({ path: ['quarantine'], message }, places);
}

async function refuseRowsOf({ file, places }: ImportedFile): Promise<void> {
  const cases = placedIn(suiteFromFile(file).cases);
  const tooMany = manyRowsProblem(cases);
  if (tooMany !== undefined) refuseAt({ path: 'cases', position: '' }, tooMany, manyRows);
  for (const one of cases) {
    const problem = await rowProblem(one);
    if (problem === undefined) continue;
    refuseAt(findWritten(places, problem.path.replace('body.content.', '')), problem.message);
  }
}

function refuseAt({ path, position }: FoundPlace, reason: string, more: object = {}): never {
  const message = `${position}${path}: ${reason}`;
  const code = 'SUITE_FILE_INVALID';
  const details = { reason: code, findings: [{ path, code, message }], ...more };
  return refuse(invalid(`body.content.${path}`, message, details));
}

const mostFindings = 20;

/**
 * Finds the servers of a file, in this order: by the ids in the request, by the id in the file, by
 * the server of this name at the last import, or by name.
 */
export function serversOfFile(
  { target }: SuiteFile,
  servers: readonly NamedServer[],
  given: Readonly<Record<string, string>>,
  before: ReadonlyMap<string, string> = new Map(),
): NamedServer[] {
  const withId = (id: string | undefined) => servers.find((server) => server.id === id);
  const bound = (target.servers ?? []).map(({ name, id }, index) => {
    const chosen = Object.hasOwn(given, name) ? given[name] : undefined;
    const found =
      chosen === undefined
        ? (withId(id) ?? withId(before.get(name)) ?? findServerByName(servers, name))
        : withId(chosen);
    if (found !== undefined) return found;
    const path =
      chosen === undefined ? `body.content.target.servers[${index}]` : `body.serverIds.${name}`;
    const wanted = JSON.stringify(chosen ?? name);
    const message = `There is no server ${wanted} in this project; save it first, or choose the saved server for ${JSON.stringify(name)} in serverIds, or with --server on the command line.`;
    return refuse(invalid(path, message, { reason: 'SERVER_NOT_FOUND' }));
  });
  return [...new Set(bound)];
}

export function refuseEnvironment(environment: string): never {
  const message = `There is no environment ${JSON.stringify(environment)} in this project; create it first.`;
  const details = { reason: 'ENVIRONMENT_NOT_FOUND' };
  return refuse(invalid('body.content.target.environment', message, details));
}

export function warningsAsWritten<Warning extends { path: string; message: string }>(
  warnings: readonly Warning[],
  places: WrittenPlaces,
): Warning[] {
  return warnings.map((warning) => {
    if (!warning.path.startsWith('body.content.cases[')) return warning;
    const found = findWritten(places, warning.path.slice('body.content.'.length));
    const message = `${found.position}${warning.message}`;
    return { ...warning, path: `body.content.${found.path}`, message };
  });
}

/** Warns of texts of the file that end at a `#`, at their own places. */
export function warningsOfTexts({
  cut = [],
}: ImportedFile): OutputOf<'importEvalSuite'>['warnings'] {
  return cut.map(({ path, message }) => ({
    path: `body.content.${path}`,
    code: 'TEXT_CUT_BY_COMMENT',
    message,
  }));
}

export function warningsOfFile({ cases }: SuiteFile): OutputOf<'importEvalSuite'>['warnings'] {
  return cases.flatMap(({ id, import: imported }, index) => {
    const status = imported?.status;
    if (status !== 'unsupported' && status !== 'unresolved') return [];
    const message = `The case ${JSON.stringify(id)} was imported as ${status}; review it before you run it.`;
    return [{ path: `body.content.cases[${index}]`, code: 'CASE_IMPORTED_IN_PART', message }];
  });
}
