import type { FailureCategory, Stage, StageReason } from '@proofmark/domain';
import { slowForMs } from './kind-servers.ts';

export interface KindRow {
  readonly assertion: { readonly type: string } & Readonly<Record<string, unknown>>;
  readonly outcome: 'holds' | 'fails' | 'error' | 'advises';
  readonly stage: Stage;
  /** The tools that are called: by the case itself, or by a model if `asked` is set. */
  readonly calls: readonly string[];
  readonly asked?: true;
  readonly server?: 'saying' | 'silent';
  readonly failOnToolError?: false;
  readonly reason?: StageReason;
  readonly category?: FailureCategory;
}

type RowOptions = Partial<Pick<KindRow, 'calls' | 'server' | 'failOnToolError'>>;

interface Kind {
  readonly stage: Stage;
  readonly reason: StageReason;
  readonly category: FailureCategory;
  readonly asked?: true;
}

const ofListing: Kind = { stage: 'discovery', reason: 'predicateFailed', category: 'metadata' };
const ofChoice: Kind = {
  stage: 'selection',
  reason: 'unexpectedToolCall',
  category: 'selection',
  asked: true,
};
const ofCall: Kind = { stage: 'call', reason: 'argumentMismatch', category: 'arguments' };
const ofResult: Kind = { stage: 'response', reason: 'predicateFailed', category: 'serverData' };
const ofAnswer: Kind = {
  stage: 'userValue',
  reason: 'predicateFailed',
  category: 'userValue',
  asked: true,
};

function row(
  kind: Kind,
  outcome: KindRow['outcome'],
  assertion: KindRow['assertion'],
  options: RowOptions = {},
): KindRow {
  const { stage, reason, category, asked } = kind;
  return {
    assertion,
    outcome,
    stage,
    calls: ['find'],
    ...options,
    ...(asked && { asked }),
    ...(outcome === 'fails' && { reason, category }),
  };
}

/** The service loses the answer to this call, so the result is unknown. */
const lost: RowOptions = { calls: ['lost'], failOnToolError: false };
/** The third result exceeds the limit of results that a trial stores. */
const huge: RowOptions = { calls: ['huge', 'huge', 'huge'] };
const silent: RowOptions = { calls: [], server: 'silent' };
const called = { ...ofChoice, reason: 'missingToolCall' } as const;
const mib = 1024 * 1024;

export const kindRows: readonly KindRow[] = [
  row(ofListing, 'holds', { type: 'toolDescriptionsPresent', minLength: 5 }, { calls: [] }),
  row(ofListing, 'fails', { type: 'toolDescriptionsPresent', minLength: 500 }, { calls: [] }),
  row(ofListing, 'holds', { type: 'toolAnnotationsPresent' }, { calls: [] }),
  row(ofListing, 'fails', { type: 'toolAnnotationsPresent' }, silent),
  row(ofListing, 'holds', { type: 'toolNamesUnique' }),
  row(ofListing, 'fails', { type: 'toolNamesUnique' }, silent),
  row(ofListing, 'fails', { type: 'toolInputSchemasWellFormed' }, silent),
  row(ofListing, 'fails', { type: 'toolOutputSchemasPresent' }, { calls: [] }),
  row(ofListing, 'holds', { type: 'maximumSurfaceTokens', tokens: 10_000 }, { calls: [] }),
  row(ofListing, 'fails', { type: 'maximumSurfaceTokens', tokens: 10 }, { calls: [] }),
  row(ofListing, 'advises', { type: 'noDeprecatedToolExposed', role: 'advisory' }),

  row(ofChoice, 'holds', { type: 'toolCallCountUnder', count: 3 }, { calls: ['find', 'find'] }),
  row(ofChoice, 'fails', { type: 'toolCallCountUnder', count: 2 }, { calls: ['find', 'drop'] }),
  row(
    called,
    'holds',
    { type: 'toolCalledBefore', toolName: 'find', beforeToolName: 'drop' },
    { calls: ['find', 'drop'] },
  ),
  row(
    called,
    'fails',
    { type: 'toolCalledBefore', toolName: 'find', beforeToolName: 'drop' },
    { calls: ['drop', 'find'] },
  ),
  row(ofChoice, 'holds', { type: 'noDestructiveToolCalled' }),
  row(ofChoice, 'fails', { type: 'noDestructiveToolCalled' }, { calls: ['find', 'drop'] }),
  row(ofChoice, 'error', { type: 'noDestructiveToolCalled' }, { server: 'silent' }),
  row(ofChoice, 'advises', { type: 'noDeprecatedToolCalled', role: 'advisory' }),

  row(ofCall, 'holds', { type: 'argumentsMatchToolSchema' }),
  row(ofCall, 'fails', { type: 'argumentsMatchToolSchema' }, { calls: ['find:7'] }),
  row(ofCall, 'error', { type: 'argumentsMatchToolSchema' }, { calls: ['odd'] }),
  row(ofCall, 'holds', { type: 'noRepeatedIdenticalCall' }, { calls: ['find', 'drop'] }),
  row(ofCall, 'fails', { type: 'noRepeatedIdenticalCall' }, { calls: ['find', 'find'] }),
  row(ofCall, 'holds', { type: 'toolInputMatches', toolName: 'find', pattern: 'te[a]' }),
  row(ofCall, 'fails', { type: 'toolInputMatches', toolName: 'find', pattern: 'coffee' }),

  row(ofResult, 'holds', { type: 'toolLatencyUnder', ms: 20_000 }, { calls: ['slow'] }),
  row(ofResult, 'fails', { type: 'toolLatencyUnder', ms: slowForMs / 10 }, { calls: ['slow'] }),
  row(ofResult, 'error', { type: 'toolLatencyUnder', ms: 20_000 }, lost),
  row(ofResult, 'holds', { type: 'toolResultSizeUnder', maxBytes: 3 * mib + 1 }, huge),
  row(ofResult, 'fails', { type: 'toolResultSizeUnder', maxBytes: 3 * mib }, huge),
  row(ofResult, 'error', { type: 'toolResultSizeUnder', maxBytes: 100 }, lost),
  row(ofResult, 'holds', { type: 'maximumResultTokens', tokens: 100 }),
  row(ofResult, 'fails', { type: 'maximumResultTokens', tokens: 1 }),
  row(ofResult, 'error', { type: 'maximumResultTokens', tokens: 100 }, lost),
  row(ofResult, 'holds', { type: 'toolResultContains', needle: 'TEA' }),
  row(ofResult, 'fails', { type: 'toolResultContains', needle: 'coffee' }),
  row(ofResult, 'error', { type: 'toolResultContains', needle: 'coffee' }, huge),
  row(ofResult, 'holds', { type: 'toolResultMatches', pattern: 'r[ao]ws' }, { calls: ['drop'] }),
  row(ofResult, 'fails', { type: 'toolResultMatches', pattern: 'columns' }, { calls: ['drop'] }),
  row(ofResult, 'error', { type: 'toolResultMatches', pattern: 'rows' }, lost),
  row(ofResult, 'holds', { type: 'toolResultMatchesSchema', schema: { required: ['total'] } }),
  row(ofResult, 'fails', { type: 'toolResultMatchesSchema', schema: { required: ['sum'] } }),
  row(ofResult, 'error', { type: 'toolResultMatchesSchema', schema: {} }, lost),
  row(ofResult, 'holds', { type: 'toolResultPath', pointer: '/first/sku', equals: 'tea' }),
  row(ofResult, 'fails', { type: 'toolResultPath', pointer: '/total', max: 1 }),
  row(ofResult, 'error', { type: 'toolResultPath', pointer: '/total', exists: true }, lost),
  row(
    ofResult,
    'holds',
    { type: 'toolCallFails', toolName: 'refuse', messageContains: 'city' },
    { calls: ['refuse'] },
  ),
  row(ofResult, 'holds', { type: 'toolCallFails', toolName: 'broken' }, { calls: ['broken'] }),
  row(ofResult, 'fails', { type: 'toolCallFails', toolName: 'find' }),
  row(
    { ...ofResult, reason: 'toolError' },
    'fails',
    { type: 'toolCallFails', toolName: 'refuse', messageContains: 'country' },
    { calls: ['refuse'] },
  ),
  row(ofResult, 'error', { type: 'toolCallFails', toolName: 'lost' }, lost),
  row(ofResult, 'holds', { type: 'toolDoesNotCrash', toolName: 'refuse' }, { calls: ['refuse'] }),
  row(
    { ...ofResult, reason: 'toolError' },
    'fails',
    { type: 'toolDoesNotCrash', toolName: 'crash' },
    { calls: ['crash'] },
  ),
  row(ofResult, 'advises', { type: 'toolErrorNamesInput', role: 'advisory' }),
  row(ofResult, 'advises', { type: 'fullPageHasContinuation', role: 'advisory' }),
  row(
    { ...ofResult, reason: 'toolError' },
    'fails',
    { type: 'noToolErrors' },
    { calls: ['refuse'], failOnToolError: false },
  ),

  row(ofAnswer, 'advises', { type: 'noEndingQuestion', role: 'advisory' }),
  row(ofAnswer, 'holds', { type: 'responseCloseTo', reference: 'All is done.', threshold: 0.9 }),
  row(ofAnswer, 'fails', { type: 'responseCloseTo', reference: 'Out of tea.', threshold: 0.9 }),
];
