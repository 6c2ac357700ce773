/**
 * Evaluates an assertion about the trial's events so far, and finds the calls that break it. A
 * limit on the model's answers or tokens may explain a missing text or call, so the reason mentions
 * such a limit. An assertion about listed tools is evaluated only once for all trials with the same
 * list.
 */
import {
  type AskedAssertion,
  type Assertion,
  type AssertionResult,
  type AssertionScope,
  type AssertionSubject,
  breakingCalls,
  dependsOnRedaction,
  evaluateKnownAssertion,
  looksAtTurnAlone,
  notingMarks,
  stageOfAssertion,
  type Transcript,
  tokenKinds,
} from '@proofmark/domain';
import { boundedSchemas } from '../outside/mcp/schema-engine.ts';
import { loadedTokenCounter, loadTokenCounter } from '../outside/tokens/load-token-counter.ts';
import type { TrialContext } from './trial-context.ts';
import type { TrialLog } from './trial-log.ts';

export async function prepareToEvaluate(assertions: readonly Assertion[]): Promise<void> {
  if (assertions.some(({ type }) => tokenKinds.includes(type))) await loadTokenCounter();
}

type Seen = Pick<AskedAssertion, 'result' | 'brokenBy'>;

export function evaluateSeen(
  assertion: Assertion,
  { log, dependencies, rows }: Pick<TrialContext, 'log' | 'dependencies' | 'rows'>,
  scope?: AssertionScope,
): Seen {
  const subject: AssertionSubject = {
    transcript: seenBy(assertion, log, scope),
    patterns: dependencies.patterns,
    schemas: boundedSchemas,
    countTokens: loadedTokenCounter(),
    siblings: rows,
    ...(scope !== undefined && { scope }),
  };
  const result = answerable(evaluateOnce(assertion, subject), assertion, subject, dependencies);
  if (result.passed || result.evaluatorError === true)
    return { result: named(result, log, assertion) };
  const brokenBy = breakingCalls(assertion, subject);
  return { result: named(result, log, assertion), ...(brokenBy && { brokenBy }) };
}

function answerable(
  result: AssertionResult,
  assertion: Assertion,
  subject: AssertionSubject,
  { hasMarks = false }: Pick<TrialContext['dependencies'], 'hasMarks'>,
): AssertionResult {
  if (!hasMarks) return result;
  const { listedTools, ...rest } = subject.transcript;
  const listed = listedTools === undefined ? {} : { listedTools };
  const { sawMark, ...engines } = notingMarks(subject);
  const passes = (other: unknown) => {
    const transcript = { ...(other as typeof rest), ...listed };
    return evaluateKnownAssertion(assertion, { ...subject, ...engines, transcript }).passed;
  };
  if (!dependsOnRedaction(assertion, rest, passes, sawMark)) return result;
  return { ...result, passed: false, reason: takenOut, evaluatorError: true };
}

const takenOut =
  'This check depends on data that was redacted in the recording, so it cannot be evaluated.';

function named(
  result: AssertionResult,
  { stopped }: TrialLog,
  { type }: Assertion,
): AssertionResult {
  if (result.passed || stopped === undefined || !ofMissing.has(type)) return result;
  return { ...result, reason: `${result.reason} ${stopped}` };
}

function evaluateOnce(assertion: Assertion, subject: AssertionSubject): AssertionResult {
  const { listedTools } = subject.transcript;
  if (listedTools === undefined || stageOfAssertion(assertion.type, true) !== 'discovery') {
    return evaluateKnownAssertion(assertion, subject);
  }
  const ofListing = answered.get(listedTools) ?? new WeakMap<Assertion, AssertionResult>();
  answered.set(listedTools, ofListing);
  const known = ofListing.get(assertion) ?? evaluateKnownAssertion(assertion, subject);
  ofListing.set(assertion, known);
  return known;
}

const answered = new WeakMap<object, WeakMap<Assertion, AssertionResult>>();

/** For an assertion about a single turn, returns only that turn's part of the transcript. */
function seenBy(
  assertion: Assertion,
  log: TrialLog,
  scope: AssertionScope | undefined,
): Transcript {
  const transcript = log.transcript();
  if (scope === undefined || !looksAtTurnAlone(assertion.type)) return transcript;
  const { promptIndex } = scope;
  return {
    ...transcript,
    toolCalls: log.seenCalls(promptIndex),
    toolErrors: log.toolErrors.filter((error) => error.promptIndex === promptIndex),
  };
}

const ofMissing: ReadonlySet<Assertion['type']> = new Set([
  'responseContains',
  'responseMatches',
  'responseCloseTo',
  'finalAssistantMessageNonEmpty',
  'toolCalledWith',
  'toolCalledAtLeastOnce',
  'firstToolWas',
]);
