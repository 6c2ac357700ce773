/**
 * Reads a document of `proofmark test --json FILE` for comparisons and statistics. A file of
 * another shape is rejected as a whole. Fields that older versions did not write may be absent.
 */
import {
  type CaseTitles,
  type Decision,
  DecisionSummary,
  type FailingTrial,
  isRecord,
  type Json,
  type RunReplay,
} from '@proofmark/domain';
import { type TestVerdict, testDocumentFormat } from './test-document.ts';

export interface SuiteOfDocument {
  /** Identifies the suite across documents: the id in its file or, without one, its name. */
  readonly key: string;
  readonly id: string | undefined;
  readonly suite: string;
  readonly runId: string;
  readonly createdAt: number | null;
  readonly durationMs: number | null;
  readonly verdict: TestVerdict;
  readonly models: readonly string[];
  readonly tokens: number;
  /** The credits of all trials; null if a price was not known for all of them. */
  readonly credits: number | null;
  /** Whether judges were asked. */
  readonly isJudged: boolean;
  /** The cases that an own scorer grades. */
  readonly scoredCases: ReadonlySet<string>;
  readonly replay: RunReplay | undefined;
  /** Undefined if the run has no decision, for example because it was cancelled. */
  readonly decision: Decision | undefined;
  readonly caseTitles: CaseTitles;
  /** By case id; unknown hashes are missing. */
  readonly caseHashes: ReadonlyMap<string, string>;
  /** The time of all trials of a case on one model, in milliseconds. */
  readonly caseTimes: readonly {
    readonly caseId: string;
    readonly model: string | undefined;
    readonly durationMs: number;
  }[];
  readonly failedTrials: readonly FailingTrial[];
  readonly surface:
    | {
        readonly hash: string;
        readonly servers: readonly { readonly name: string; readonly tools: readonly Json[] }[];
      }
    | undefined;
}

/** Returns undefined if the text is no test document. */
export function readTestDocument(text: string): SuiteOfDocument[] | undefined {
  const read = parsed(text);
  if (!isRecord(read) || read['format'] !== testDocumentFormat || read['version'] !== 1) {
    return undefined;
  }
  const suites = listOf(read['suites']).map(readSuite);
  return suites.every((one) => one !== undefined) ? suites : undefined;
}

function readSuite(suite: Json): SuiteOfDocument | undefined {
  const { id, suite: name, runId, createdAt, durationMs, verdict, tokens } = suite;
  const summary = DecisionSummary.safeParse(suite['summary']).data;
  const known = verdicts.find((one) => one === verdict);
  if (summary === undefined || known === undefined) return undefined;
  if (typeof name !== 'string' || typeof runId !== 'string') return undefined;
  const cases = listOf(suite['cases']).filter((one) => typeof one['id'] === 'string');
  const total = isRecord(tokens) ? tokens['total'] : undefined;
  return {
    key: JSON.stringify(typeof id === 'string' ? { id } : { name }),
    id: typeof id === 'string' ? id : undefined,
    suite: name,
    runId,
    createdAt: numberOf(createdAt),
    durationMs: numberOf(durationMs),
    verdict: known,
    models: Array.isArray(suite['models']) ? suite['models'].map(String) : [],
    tokens: numberOf(total) ?? 0,
    credits: creditsIn(suite['cost']),
    isJudged: suite['judged'] === true,
    scoredCases: new Set(
      cases.filter((one) => one['ownScorer'] === true).map(({ id }) => String(id)),
    ),
    replay: summary.replay,
    decision: summary.verdictSource === 'policyV2' ? summary.decision : undefined,
    caseTitles: Object.fromEntries(textsOf(cases, 'title')),
    caseHashes: new Map(textsOf(cases, 'hash')),
    caseTimes: cases.flatMap(({ id: caseId, model, durationMs: took }) => {
      const known = numberOf(took);
      if (typeof caseId !== 'string' || known === null) return [];
      return [{ caseId, model: typeof model === 'string' ? model : undefined, durationMs: known }];
    }),
    failedTrials: cases.flatMap((one) => listOf(one['failedTrials']).flatMap(readFailed)),
    surface: readSurface(suite['surface']),
  };
}

function creditsIn(cost: unknown): number | null {
  return isRecord(cost) && cost['priced'] === true ? numberOf(cost['credits']) : null;
}

const verdicts: readonly TestVerdict[] = ['passed', 'failed', 'inconclusive'];

function readFailed({ id, expectedToolCalls, actualToolCalls }: Json): FailingTrial[] {
  if (typeof id !== 'string') return [];
  return [
    {
      id,
      expectedToolCalls: listOf(expectedToolCalls),
      actualToolCalls: listOf(actualToolCalls),
    },
  ];
}

/** Returns undefined unless the tools of every server are listed. */
function readSurface(surface: unknown): SuiteOfDocument['surface'] {
  if (!isRecord(surface) || typeof surface['hash'] !== 'string') return undefined;
  const servers = listOf(surface['servers']).flatMap(({ name, listed }) =>
    typeof name === 'string' && Array.isArray(listed) ? [{ name, tools: toolsOf(listed) }] : [],
  );
  return servers.length === listOf(surface['servers']).length
    ? { hash: surface['hash'], servers }
    : undefined;
}

function toolsOf(listed: unknown): Json[] {
  return listOf(listed).filter(({ name }) => typeof name === 'string');
}

function textsOf(cases: readonly Json[], field: 'title' | 'hash'): [string, string][] {
  return cases.flatMap((one): [string, string][] => {
    const text = one[field];
    return typeof text === 'string' ? [[String(one['id']), text]] : [];
  });
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
