/**
 * A case in the format of a suite file, beside its form. It is written and read by the rules of
 * suite files; fields that the file format lacks are kept. A file needs its other parts to be
 * valid, so they are added after the case, which keeps its line numbers.
 */
import type { EvalSuiteDetail } from '@proofmark/contract';
import {
  type EvalCaseDefinition,
  isRecord,
  type Json,
  replaceByFile,
  type SuiteDefinition,
  type SuiteFile,
  type SuiteToWrite,
  spellSuite,
} from '@proofmark/domain';
import type { ReadText } from '../../../kit/changes/json-draft.ts';
import type { SuiteFiles } from '../data/suite-files.ts';

/** The maximum number of rows that are edited here. Larger tables are edited in their file. */
export const mostRowsBeside = 200;

/** The placeholder for the id of a new case. */
export const noCaseId = 'new-case';

export interface CaseLanguage {
  readonly name: string;
  readonly write: (value: Json) => string;
  readonly read: (text: string) => ReadText;
}

/**
 * Returns the text format of a case. `id`: the id of an existing case. `current`: the value of the
 * form.
 */
export function caseLanguage(
  files: SuiteFiles,
  suite: EvalSuiteDetail,
  current: Json,
  id: string | undefined,
): CaseLanguage {
  return {
    name: 'file',
    write: (value) => {
      const [one] = spelled(suite, [asCase(value, id)]).cases;
      return files.writeSuiteFile({ cases: [one] } as Partial<SuiteFile>, 'yaml');
    },
    read: (text) => {
      const { cases: _cases, ...around } = spelled(suite, []);
      const whole = `${text}\n${files.writeSuiteFile(around, 'yaml')}`;
      const read = files.parseSuiteFile(whole);
      if ('findings' in read) return { problem: findingWords(read.findings) };
      return caseOf(suite, read.file, current, id);
    },
  };
}

const toldFindings = 3;

function findingWords(findings: readonly { readonly message: string }[]): string {
  const told = findings.slice(0, toldFindings).map(({ message }) => message);
  return told.join(' ');
}

function caseOf(
  suite: EvalSuiteDetail,
  file: SuiteFile,
  current: Json,
  id: string | undefined,
): ReadText {
  const [one, another] = file.cases;
  if (one === undefined || another !== undefined) return { problem: 'Write one case here.' };
  const before = asCase(current, id);
  if (id !== undefined && one.id !== before.id) {
    return { problem: `The id of a case stays as it is: ${before.id}.` };
  }
  // A new case has no id, so it gets the id from the text, by which it is found again.
  const known = { ...before, id: one.id, declaredId: null };
  const [replaced] = replaceByFile({ ...toWrite(suite, []), cases: [known] }, file).cases;
  const { declaredId: _id, ...definition } = replaced?.definition ?? {};
  const isNamed = id === undefined && one.id !== noCaseId;
  return { value: { ...(isNamed && { id: one.id }), ...definition } as Json };
}

interface StatedCase {
  readonly id: string;
  readonly definition: EvalCaseDefinition;
}

function asCase({ id: stated, ...definition }: Json, id: string | undefined): StatedCase {
  const steps = Array.isArray(definition['steps']) ? definition['steps'].filter(isRecord) : [];
  return {
    id: id ?? (typeof stated === 'string' ? stated : noCaseId),
    definition: { title: '', ...definition, steps } as unknown as EvalCaseDefinition,
  };
}

/**
 * Writes the suite file. Parts that the suite lacks get placeholders, since only the case is used.
 */
function spelled(suite: EvalSuiteDetail, cases: readonly StatedCase[]): SuiteFile {
  const file = spellSuite(toWrite(suite, cases));
  const isTargeted = Object.keys(file.target).length > 0;
  return isTargeted ? file : { ...file, target: { servers: [{ name: 'any' }] } };
}

function toWrite(suite: EvalSuiteDetail, cases: readonly StatedCase[]): SuiteToWrite {
  return {
    id: suite.id,
    name: suite.name,
    description: suite.description,
    cases,
    definition: definitionOf(suite),
    servers: suite.environment.serverIds.map((id, at) => ({
      id,
      name: suite.environment.servers[at] ?? id,
    })),
    environments: [],
    hosts: [],
    tags: suite.tags,
    schedule: suite.schedule,
  };
}

function definitionOf({ mode, executionConfig, settings }: EvalSuiteDetail): SuiteDefinition {
  const { model = 'any', provider } = executionConfig ?? {};
  const stated = Object.entries(settings).filter(
    ([name, value]) => value !== null && name !== 'judge' && name !== 'verdictPolicyVersion',
  );
  return {
    ...(mode === 'serverContract' ? { mode } : { model }),
    ...(provider !== undefined && { provider }),
    settings: Object.fromEntries(stated),
  } as SuiteDefinition;
}

/** Returns the suite without its cases, in the format of a file's beginning. */
export function suiteHead(files: SuiteFiles, suite: EvalSuiteDetail): string {
  const { cases: _cases, ...around } = spelled(suite, []);
  return files.writeSuiteFile(around, 'yaml');
}
