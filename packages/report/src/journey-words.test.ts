import {
  assertionKinds,
  criterionName,
  journeyVerdict,
  messageOfEnd,
  type Scorecard,
} from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import {
  failReasonWords,
  heldWords,
  journeyVerdictSentence,
  playersSentence,
  scorecardSentences,
} from './journey-words.ts';
import { playedAndWhyNot, type SessionAttempt } from './ungraded-words.ts';

type ScorecardCriterion = Scorecard['criteria'][number];

const none = { provider: 0, setup: 0, policy: 0, canceled: 0, timedOut: 0, credits: 0, ours: 0 };

function criterion(fields: Partial<ScorecardCriterion> = {}): ScorecardCriterion {
  return {
    id: 'crt_1',
    label: 'Counts',
    kind: 'noToolErrors',
    role: 'gating',
    passCount: 4,
    failCount: 0,
    pendingCount: 0,
    failedGradingCount: 0,
    failRate: 0,
    interval: null,
    failReasons: [],
    ...fields,
  };
}

function card(fields: Partial<Scorecard> = {}): Scorecard {
  return {
    criteria: [criterion()],
    sessionsTotal: 4,
    sessionsGraded: 4,
    distinctTranscripts: 4,
    ungraded: { ...none, unplayed: 0 },
    simulatedUserFailedCount: 0,
    notEndedCount: 0,
    ...fields,
  };
}

const played = { status: 'completed' } as const;
const failing = criterion({ passCount: 2, failCount: 2, failRate: 0.5 });

describe('the verdict of a run', () => {
  test.each([
    ['passed', played, card()],
    ['failed', played, card({ criteria: [failing] })],
    ['failed', { status: 'partial' } as const, card({ criteria: [failing], sessionsGraded: 3 })],
    ['passed', played, card({ criteria: [criterion(), { ...failing, role: 'advisory' }] })],
    ['inconclusive', { status: 'partial' } as const, card({ sessionsGraded: 3 })],
    ['notEstablished', played, undefined],
    ['notEstablished', played, card({ sessionsGraded: 0 })],
    ['notEstablished', played, card({ criteria: [{ ...failing, role: 'advisory' }] })],
    ['notEstablished', { status: 'running' } as const, card({ criteria: [failing] })],
    ['failed', { status: 'failed', error: 'canceled' } as const, card({ criteria: [failing] })],
    ['failed', { status: 'failed', error: 'run_timeout' } as const, card({ criteria: [failing] })],
    ['failed', { status: 'failed', error: 'stale_runner' } as const, card({ criteria: [failing] })],
    ['notEstablished', { status: 'failed', error: 'canceled' } as const, card()],
  ] as const)('%s: %j', (verdict, run, given) => {
    expect(journeyVerdict(run, given)).toBe(verdict);
  });

  test('is said with what it rests on', () => {
    expect(journeyVerdictSentence(played, card({ criteria: [failing, criterion()] }))).toBe(
      'FAILED: 1 of 2 checks did not hold, “Counts” in 2 of 4 graded sessions.',
    );
    expect(journeyVerdictSentence(played, card({ criteria: [failing] }))).toBe(
      'FAILED: the check “Counts” did not hold in 2 of 4 graded sessions.',
    );
    const worst = criterion({ label: 'No tool fails', passCount: 0, failCount: 4, failRate: 1 });
    expect(journeyVerdictSentence(played, card({ criteria: [failing, worst, criterion()] }))).toBe(
      'FAILED: 2 of 3 checks did not hold, at worst “No tool fails” in 4 of 4 graded sessions.',
    );
    expect(journeyVerdictSentence(played, card({ criteria: [{ ...worst, label: null }] }))).toBe(
      'FAILED: the check “No tool fails” did not hold in 4 of 4 graded sessions.',
    );
    const lost = { simulatedUserFailedCount: 1, ungraded: { ...none, unplayed: 0, ours: 1 } };
    expect(
      journeyVerdictSentence({ status: 'partial' }, card({ sessionsGraded: 3, ...lost })),
    ).toBe(
      'INCONCLUSIVE: the check held, but only 3 of 4 sessions were graded (the simulated user failed).',
    );
    expect(journeyVerdictSentence({ status: 'failed', error: 'canceled' }, card())).toBe(
      'NOT ESTABLISHED: the run was canceled.',
    );
    expect(
      journeyVerdictSentence(
        { status: 'failed', error: 'run_timeout' },
        card({ criteria: [failing], sessionsTotal: 6 }),
      ),
    ).toBe(
      'FAILED: the check “Counts” did not hold in 2 of 4 graded sessions; the run was out of time, 2 of 6 sessions were not graded.',
    );
  });
});

test('a run that graded nothing says whose doing that was', () => {
  const nothing = { sessionsGraded: 0, distinctTranscripts: 0 };
  const sentence = (fields: Partial<Scorecard>) =>
    journeyVerdictSentence({ status: 'failed' }, card({ ...nothing, ...fields }));
  expect(
    sentence({ simulatedUserFailedCount: 4, ungraded: { ...none, unplayed: 0, ours: 4 } }),
  ).toBe('NOT ESTABLISHED: none of 4 sessions was graded (the simulated user failed).');
  expect(
    sentence({
      sessionsTotal: 9,
      simulatedUserFailedCount: 2,
      notEndedCount: 1,
      criteria: [criterion({ pendingCount: 1, failedGradingCount: 1 })],
      ungraded: { ...none, unplayed: 2, ours: 3, provider: 2 },
    }),
  ).toBe(
    'NOT ESTABLISHED: none of 9 sessions was graded (2: the simulated user failed; 1: not ended yet; 1: to be graded; 1: the grading failed; 2: the model provider of the assistant failed or limited the requests; 1: Proofmark itself failed or could not serve a tool; 1: never begun).',
  );
});

test('sessions that were not played to their end are told with whose doing it was', () => {
  const attempt = (fields: Partial<SessionAttempt> = {}): SessionAttempt => ({
    targetId: 't',
    status: 'succeeded',
    errorCode: null,
    begun: 1,
    ...fields,
  });
  const lost = attempt({ status: 'failed', errorCode: 'persona_driver_failed' });
  expect(playedAndWhyNot([attempt(), attempt()])).toBe('2 of 2 sessions played to their end.');
  expect(playedAndWhyNot([attempt(), lost])).toBe(
    '1 of 2 sessions played to their end (the simulated user failed).',
  );
  const unreachable = attempt({ status: 'failed', errorCode: 'server_unreachable' });
  expect(playedAndWhyNot([lost, unreachable, attempt({ status: 'running' })])).toBe(
    '0 of 3 sessions played to their end (1: the simulated user failed; 1: not ended yet; 1: a server could not be opened or used).',
  );
});

test('a rate is of what held, says of how many, and there is none where nothing was graded', () => {
  const interval = { confidence: 0.95, lower: 0.55, upper: 0.95 };
  const mostly = criterion({ passCount: 1, failCount: 3, failRate: 0.75 });
  expect(heldWords({ ...mostly, interval }, 4)).toBe(
    'held in 1 of 4 graded, 25 % (95 % interval 5 % to 45 %)',
  );
  expect(heldWords(failing, 4)).toBe('held in 2 of 4 graded');
  expect(heldWords(criterion({ failRate: null }), 0)).toBe('not graded');
});

test('a criterion without a label is named by words, never by the name that the API has for it', () => {
  for (const kind of Object.keys(assertionKinds)) {
    expect(criterionName({ label: null, kind }), kind).toMatch(/^[A-Z][a-z]* /);
  }
  expect(criterionName({ label: 'Counts', kind: 'noToolErrors' })).toBe('Counts');
  expect(criterionName({ label: null, kind: 'constructor' })).toBe('constructor');
});

test('copies are told, and so is all that was not graded', () => {
  const given = card({
    sessionsTotal: 7,
    distinctTranscripts: 1,
    criteria: [criterion({ pendingCount: 1, failedGradingCount: 1 })],
    ungraded: { ...none, unplayed: 0, provider: 1 },
  });
  expect(scorecardSentences(given)).toEqual([
    '4 of 7 sessions graded; only 1 conversation of them is distinct, and copies are no evidence.',
    '1 session to be graded.',
    'The grading of 1 session failed.',
    '1 session not graded: the model provider of the assistant failed or limited the requests.',
  ]);
});

test('a model that played the user badly is named, and is not Proofmark', () => {
  const given = card({
    sessionsTotal: 7,
    simulatedUserFailedCount: 2,
    ungraded: { ...none, unplayed: 0, ours: 3 },
  });
  expect(scorecardSentences(given, { personaModel: 'local/small' })).toEqual([
    '4 of 7 sessions graded.',
    '2 sessions not graded: local/small, which plays the user, failed or gave no usable answer.',
    '1 session not graded: Proofmark itself failed or could not serve a tool.',
  ]);
  expect(scorecardSentences(given)).toContain(
    '2 sessions not graded: the model that plays the user failed or gave no usable answer.',
  );
  expect(messageOfEnd('persona_driver_failed')).toMatch(
    /^The model that plays the user failed or gave no usable answer\./,
  );
});

test('what goes on was not left out', () => {
  const given = card({
    sessionsTotal: 8,
    notEndedCount: 3,
    ungraded: { ...none, unplayed: 4 },
  });
  expect(scorecardSentences(given)).toEqual([
    '4 of 8 sessions graded.',
    '3 sessions have not ended yet.',
    '1 session not graded: never begun.',
  ]);
});

test('who played and who judged is named, and what a script does not measure', () => {
  expect(playersSentence({ personaModel: 'proofmark/scripted-user-1', judgeModel: null })).toBe(
    'The user is played by proofmark/scripted-user-1, a script; the goal is judged by nobody. How people phrase things, ask back or lose patience is not measured.',
  );
  expect(playersSentence({ personaModel: 'local/x', judgeModel: 'proofmark/rule-judge-1' })).toBe(
    'The user is played by local/x; the goal is judged by proofmark/rule-judge-1, by rules.',
  );
});

test('a reason says how many of the sessions in which the criterion did not hold gave it', () => {
  const reason = (sessionCount: number) => ({ reason: 'No book.', sessionCount, sessionId: 's' });
  const failed = criterion({ failCount: 4, failReasons: [reason(2), reason(1)] });
  expect(failReasonWords(failed, 0)).toBe('In 2 of the 4 sessions in which it did not hold.');
  expect(failReasonWords(failed, 1)).toBe(
    'In 1 of the 4 sessions in which it did not hold. 1 session gave none of these reasons.',
  );
  expect(failReasonWords(criterion({ failCount: 1, failReasons: [reason(1)] }), 0)).toBe(
    'In the one session in which it did not hold.',
  );
});
