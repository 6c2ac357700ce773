/**
 * The sentences on the page of a wave must not contradict each other: its verdict counts the runs
 * of the table, and a comparison counts its rows and the list of what was not compared.
 */
import {
  type ComparedCriterion,
  type CountedSession,
  isTerminalWave,
  journeyVerdict,
  type SummaryVerdict,
  scorecardOf,
} from '@proofmark/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  comparisonSentence,
  comparisonVerdict,
  correctedOver,
  journeyVerdictReason,
  outcomeWords,
  scorecardSentences,
  waveSentence,
  waveVerdict,
} from '../index.ts';

const numbers = (text: string) => [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([one]) => Number(one));

const anyRole = fc.constantFrom('gating' as const, 'gating' as const, 'advisory' as const);
const anySession = fc.record({
  grading: fc.constantFrom('completed' as const, 'completed' as const, 'pending' as const, null),
  passes: fc.tuple(fc.boolean(), fc.boolean()),
});
const anyRun = fc
  .record({
    status: fc.constantFrom('completed' as const, 'partial' as const, 'running' as const),
    roles: fc.array(anyRole, { maxLength: 2 }),
    sessions: fc.array(anySession, { minLength: 1, maxLength: 4 }),
  })
  .map(({ status, roles, sessions }) => {
    const rubric = roles.map((role, at) => ({
      id: `c${at}`,
      label: `Check ${at}`,
      role,
      predicate: { type: 'noToolErrors' },
    }));
    const counted = sessions.map(
      ({ grading, passes }): CountedSession => ({
        sessionId: null,
        targetId: 't',
        transcriptHash: null,
        begun: 1,
        status: grading === null ? 'failed' : 'succeeded',
        errorCode: grading === null ? 'provider_failed' : null,
        grading,
        criteria:
          grading === 'completed'
            ? rubric.map(({ id }, at) => ({
                criterionId: id,
                passed: passes[at] === true,
                reason: '',
              }))
            : [],
      }),
    );
    const card = rubric.length === 0 ? undefined : scorecardOf(rubric, counted);
    const pendingGradings = counted.filter(({ grading }) => grading === 'pending').length;
    return { status, card, pendingGradings, verdict: journeyVerdict({ status }, card) };
  });

test('the verdict of a wave counts the runs of its table, and none of them says otherwise', () => {
  const words: Readonly<Record<SummaryVerdict, RegExp>> = {
    failed: / (\d+)(?: of \d+ runs?)? failed/,
    passed: / (\d+)(?: of \d+ runs?)? passed/,
    inconclusive: / (\d+)(?: of \d+ runs?)? ended inconclusive/,
    notEstablished: / (\d+)(?: of \d+ runs?)? ended without a verdict/,
  };
  fc.assert(
    fc.property(fc.array(anyRun, { minLength: 1, maxLength: 5 }), (runs) => {
      const isTerminal = isTerminalWave(runs);
      const verdicts = runs.map(({ verdict }) => verdict);
      const sentence = waveSentence(verdicts, isTerminal);
      expect(sentence.includes('has not ended')).toBe(!isTerminal);
      for (const { status, card, verdict } of runs) {
        const reason = journeyVerdictReason({ status }, card);
        expect(reason === 'the run has not ended.').toBe(status === 'running');
        if (isTerminal) expect(reason).not.toContain('has not ended');
        if (card !== undefined && card.sessionsGraded === card.sessionsTotal) {
          expect(scorecardSentences(card)).toHaveLength(1);
          if (isTerminal) expect(verdict).not.toBe('inconclusive');
        }
      }
      if (!isTerminal) return;
      for (const [verdict, pattern] of Object.entries(words)) {
        const told = Number(pattern.exec(sentence)?.[1] ?? 0);
        expect(told, sentence).toBe(verdicts.filter((one) => one === verdict).length);
      }
      if (waveVerdict(verdicts, isTerminal) === 'passed') {
        for (const { card } of runs) {
          const gating = card?.criteria.filter(({ role }) => role === 'gating') ?? [];
          expect(gating.every(({ failCount }) => failCount === 0)).toBe(true);
        }
      }
    }),
  );
});

test('no sentence says that all checks held beside one that did not', () => {
  fc.assert(
    fc.property(anyRun, ({ status, card }) => {
      const reason = journeyVerdictReason({ status }, card);
      const hasFailed = card?.criteria.some(({ failCount }) => failCount > 0) === true;
      if (hasFailed) expect(reason).not.toMatch(/\b(all \d+ checks|the check) held\b/);
      const [failed, of] = numbers(reason);
      if (/\d checks did not hold/.test(reason)) {
        expect(card?.criteria.filter(({ failCount }) => failCount > 0)).toHaveLength(failed ?? 0);
        expect(card?.criteria).toHaveLength(of ?? 0);
      }
    }),
  );
});

const anyRow = fc.record({
  role: anyRole,
  corrected: fc.constantFrom(...(['regression', 'no_regression', 'insufficient_data'] as const)),
});
const anyComparison = fc
  .record({
    rows: fc.array(anyRow, { maxLength: 5 }),
    notComparable: fc.array(fc.record({ decides: fc.boolean() }), { maxLength: 3 }),
    terminal: fc.record({
      base: fc.constantFrom(true, true, false),
      current: fc.constantFrom(true, true, false),
    }),
  })
  .map(({ rows, ...rest }) => ({
    ...rest,
    rows: rows.map(
      ({ role, corrected }) =>
        ({
          role,
          corrected,
          outcome: corrected,
          holm: corrected === 'insufficient_data' ? null : 0.2,
        }) as ComparedCriterion,
    ),
  }));

test('the sentence of a comparison counts its rows, and what it does not compare', () => {
  fc.assert(
    fc.property(anyComparison, (compared) => {
      const { rows, notComparable, terminal } = compared;
      const verdict = comparisonVerdict(compared);
      const sentence = comparisonSentence(compared, 'monday');
      const gating = rows.filter(({ role }) => role === 'gating');
      const worse = gating.filter(({ corrected }) => corrected === 'regression').length;
      const undecided = gating.filter(({ corrected }) => corrected === 'insufficient_data').length;
      expect(sentence.includes('ended')).toBe(!(terminal.base && terminal.current));
      if (verdict === 'worse') expect(worse).toBeGreaterThan(0);
      if (verdict === 'notWorse') expect(worse + undecided).toBe(0);
      const [told, of] = numbers(/\d+ of \d+ comparisons? with/.exec(sentence)?.[0] ?? '');
      if (told !== undefined) expect([told, of]).toEqual([worse, gating.length - undecided]);
      const open = /(\d+) of (\d+) could not be decided/.exec(sentence);
      if (open !== null) {
        expect(open.slice(1).map(Number)).toEqual([undecided, gating.length]);
      }
      const more = /(\d+) more could not be compared/.exec(sentence)?.[1];
      if (more !== undefined) expect(Number(more)).toBe(notComparable.length);
      if (sentence.includes('nothing can be compared')) expect(rows).toEqual([]);
      const corrected = correctedOver(rows);
      for (const row of rows) {
        const inWords = /corrected over (\d+)/.exec(outcomeWords(row, corrected))?.[1];
        const inSentence = /corrected over (\d+)/.exec(sentence)?.[1];
        if (inWords !== undefined && inSentence !== undefined) expect(inWords).toBe(inSentence);
      }
    }),
  );
});
