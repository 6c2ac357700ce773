import { anyUnits } from '@proofmark/harness/any-analyzed-trials.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Candidate,
  candidateLimits,
  confidenceOf,
  fingerprintOf,
  makeCandidate,
  orderCandidates,
  severityOf,
} from './candidate.ts';
import { type Detector, detectorWeights } from './detectors.ts';

const subject = { kind: 'tool', id: 'srv.search', label: 'search' };
const unit = (id: string, order: number, targetId = 'a') => ({ id, order, targetId });

test('exemplars are taken from all targets in turn, the oldest first', () => {
  const fired = [
    ...[unit('6', 6), unit('5', 5), unit('4', 4), unit('1', 1)],
    ...[unit('2', 2, 'b'), unit('7', 7, 'b'), unit('3', 3, 'c')],
  ];
  const found = makeCandidate('tool_errors', subject, { fired, slice: fired });
  expect(found?.exemplarIds).toEqual(['1', '2', '3', '4', '7']);
});

test('contrasts are those of the slice in which it did not fire, the oldest first', () => {
  const slice = [unit('5', 5), unit('1', 1), unit('4', 4), unit('3', 3), unit('2', 2)];
  const found = makeCandidate('tool_errors', subject, { fired: [unit('1', 1)], slice });
  expect(found?.contrastIds).toEqual(['2', '3', '4']);
});

test('the stage is that of most exemplars, of two as frequent the earlier, with its own category', () => {
  const failed = (
    id: string,
    firstFailedStage: 'call' | 'selection',
    failureCategory: 'arguments' | 'metadata' | 'selection',
  ) => ({
    ...unit(id, Number(id)),
    firstFailedStage,
    failureCategory,
  });
  const fired = [
    ...[failed('1', 'call', 'arguments'), failed('2', 'call', 'arguments')],
    ...[failed('3', 'selection', 'metadata'), failed('4', 'selection', 'metadata')],
  ];
  expect(makeCandidate('case_fail', subject, { fired, slice: fired })).toMatchObject({
    firstFailedStage: 'selection',
    failureCategory: 'metadata',
  });
});

test.each<[number, string]>([
  [0.6, 'high'],
  [0.599, 'medium'],
  [0.3, 'medium'],
  [0.299, 'low'],
  [0.1, 'low'],
  [0.099, 'info'],
])('a score of %d is %s', (severityScore, severity) => {
  expect(severityOf({ severityScore })).toBe(severity);
});

test.each<[number, number, string]>([
  [3, 6, 'high'],
  [3, 7, 'medium'],
  [2, 2, 'medium'],
  [1, 1, 'low'],
])('%d of %d carries %s confidence', (affected, sliceTotal, confidence) => {
  expect(confidenceOf({ affected, sliceTotal })).toBe(confidence);
});

test('whatever fired, a candidate is within its bounds and the same for any order of its units', () => {
  const detectors = fc.constantFrom(...(Object.keys(detectorWeights) as Detector[]));
  fc.assert(
    fc.property(detectors, anyUnits, fc.nat(30), fc.string(), (detector, slice, firing, id) => {
      const fired = slice.slice(0, firing);
      const about = { kind: 'tool', id, label: id.repeat(50) };
      const found = makeCandidate(detector, about, { fired, slice });
      expect(found === undefined).toBe(fired.length === 0);
      if (found === undefined) return;
      const { exemplarIds, contrastIds, severityScore, ...counts } = found;
      const firedIds = new Set(fired.map((one) => one.id));
      expect(exemplarIds).toHaveLength(Math.min(fired.length, candidateLimits.exemplars));
      expect(new Set(exemplarIds).size).toBe(exemplarIds.length);
      expect(exemplarIds.every((one) => firedIds.has(one))).toBe(true);
      expect(contrastIds.some((one) => firedIds.has(one))).toBe(false);
      expect(contrastIds.length).toBeLessThanOrEqual(candidateLimits.contrasts);
      expect(counts).toMatchObject({ affected: fired.length, sliceTotal: slice.length });
      expect(severityScore).toBeGreaterThan(0);
      expect(severityScore).toBeLessThanOrEqual(1);
      const turned = { fired: fired.toReversed(), slice: slice.toReversed() };
      expect(makeCandidate(detector, about, turned)).toEqual(found);
    }),
  );
});

test('a fingerprint has three parts and an end, and follows from ids alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (kind, part) => {
      const id = `${part}\n:😀`.repeat(30);
      const fingerprint = fingerprintOf('tool_errors', { kind, id });
      expect(fingerprint.length).toBeLessThanOrEqual(candidateLimits.fingerprint);
      expect(fingerprint).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(fingerprint.match(/:/g)).toHaveLength(2);
      expect(fingerprint.isWellFormed()).toBe(true);
    }),
  );
  expect(fingerprintOf('case_fail', { kind: 'case_variant', id: 'a:b\nc' })).toBe(
    'case_fail:case_variant:a_b_c',
  );
});

test('the order is total: however they come, the same candidates stand in the same order', () => {
  const anyCandidate = fc.record({
    severityScore: fc.constantFrom(0.1, 0.5, 1),
    affected: fc.nat(3),
    fingerprint: fc.constantFrom('a', 'b', 'c', 'd'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(anyCandidate, { selector: (one) => one.fingerprint }), (made) => {
      const ordered = orderCandidates(made as unknown as Candidate[]);
      expect(orderCandidates(ordered.toReversed())).toEqual(ordered);
      for (const [index, next] of ordered.slice(1).entries()) {
        const before = ordered[index] as Candidate;
        expect(before.severityScore).toBeGreaterThanOrEqual(next.severityScore);
        if (before.severityScore !== next.severityScore) continue;
        expect(before.affected).toBeGreaterThanOrEqual(next.affected);
        if (before.affected === next.affected)
          expect(before.fingerprint < next.fingerprint).toBe(true);
      }
    }),
  );
});
