/**
 * A case as text in the format of suite files, edited beside the form. Case fields that suite files
 * lack keep their values. The other parts of a valid suite file are appended after the case, so
 * that line numbers stay correct.
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

/**
 * Maximum number of rows that can be edited beside the form. A larger table is edited in its file.
 */
export const mostRowsBeside = 200;

/** The id in the text of a new case until the reader types another id. */
export const noCaseId = 'new-case';

export interface CaseLanguage {
  readonly name: string;
  readonly write: (value: Json) => string;
  readonly read: (text: string) => ReadText;
}

/**
 * Defines how a case is written as text and parsed. `id` is the id of an existing case; `current`
 * is the value in the form.
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
      return files.writeSuiteFile(spelled(suite, [asCase(value, id)]), 'yaml', ['cases']);
    },
    read: (text) => {
      const whole = `${text}\n${suiteHead(files, suite)}`;
      const read = files.parseSuiteFile(whole);
      if ('findings' in read) return { problem: findingWords(read.findings) };
      return caseOf(suite, read.file, current, id);
    },
  };
}

const mostFindings = 3;

function findingWords(findings: readonly { readonly message: string }[]): string {
  const messages = findings.slice(0, mostFindings).map(({ message }) => message);
  return messages.join(' ');
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
  // A new case in the form has no id, but `replaceByFile` pairs cases by id. So it gets the id from
  // the text.
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
 * If the suite has no target, adds a placeholder target, because a suite file without one is
 * invalid. Only the case is read from the file.
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

export function suiteHead(files: SuiteFiles, suite: EvalSuiteDetail): string {
  const file = spelled(suite, []);
  const keys = (Object.keys(file) as (keyof SuiteFile)[]).filter((key) => key !== 'cases');
  return files.writeSuiteFile(file, 'yaml', keys);
}
