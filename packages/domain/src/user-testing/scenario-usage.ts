/**
 * Counts the use of a scenario in its newest sessions. A session with an unknown value is left out
 * of the counts of that value.
 */
import { groupBy } from '../insights/detection.ts';
import { toolIdOf } from '../insights/tool-uses.ts';
import { mostCountedSessions, type SessionOfScenario } from './scenario-session.ts';
import { goodRating } from './session-outcome.ts';

export interface UsageRow {
  readonly key: string;
  readonly label: string;
  readonly count: number;
}

export interface ToolUsageRow extends UsageRow {
  readonly callCount: number;
  readonly errorCount: number;
}

export interface UsageOfScenario {
  readonly totalSessions: number;
  readonly modelBreakdown: readonly UsageRow[];
  readonly serverBreakdown: readonly UsageRow[];
  readonly toolBreakdown: readonly ToolUsageRow[];
  readonly deviceBreakdown: readonly UsageRow[];
  readonly languageBreakdown: readonly UsageRow[];
  readonly outcomeBreakdown: readonly UsageRow[];
  readonly userBreakdown: readonly {
    readonly segment: string;
    readonly positive: number;
    readonly neutral: number;
    readonly negative: number;
    readonly none: number;
  }[];
  readonly criterionBreakdown: readonly {
    readonly criterionId: string;
    readonly label?: string;
    readonly kind?: string;
    readonly passCount: number;
    readonly failCount: number;
    readonly ungradedCount: number;
  }[];
  readonly scan: {
    readonly scanned: number;
    readonly matched: number;
    readonly truncated: boolean;
    readonly maxSessions: number;
    readonly windowStartAt: number | null;
    readonly windowEndAt: number | null;
  };
}

/** Counts the use in the newest sessions. `matched` is the number of all matching sessions. */
export function usageOf(sessions: readonly SessionOfScenario[], matched: number): UsageOfScenario {
  const named = (of: (session: SessionOfScenario) => string | null) =>
    breakdown(sessions, (session) => {
      const name = of(session);
      return name === null ? [] : [{ key: name, label: name }];
    });
  const times = sessions.map(({ lastActivityAt }) => lastActivityAt);
  return {
    totalSessions: matched,
    modelBreakdown: named(({ modelId }) => modelId),
    serverBreakdown: breakdown(sessions, ({ over }) =>
      (over?.tools ?? []).flatMap(({ serverId, serverName }) =>
        serverId === undefined ? [] : { key: serverId, label: serverName ?? serverId },
      ),
    ),
    toolBreakdown: toolBreakdown(sessions),
    deviceBreakdown: named(({ deviceKind }) => deviceKind),
    languageBreakdown: named(({ language }) => language),
    outcomeBreakdown: named(({ over }) => over?.outcome ?? null),
    userBreakdown: userBreakdown(sessions),
    criterionBreakdown: criterionBreakdown(sessions),
    scan: {
      scanned: sessions.length,
      matched,
      truncated: matched > sessions.length,
      maxSessions: mostCountedSessions,
      windowStartAt: times.length === 0 ? null : Math.min(...times),
      windowEndAt: times.length === 0 ? null : Math.max(...times),
    },
  };
}

function breakdown(
  sessions: readonly SessionOfScenario[],
  keysOf: (session: SessionOfScenario) => readonly Omit<UsageRow, 'count'>[],
): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const session of sessions) {
    const keys = new Map(keysOf(session).map((one) => [one.key, one]));
    for (const one of keys.values()) {
      // Sessions come newest first, so the newest one determines the label.
      const { label, count } = rows.get(one.key) ?? { ...one, count: 0 };
      rows.set(one.key, { key: one.key, label, count: count + 1 });
    }
  }
  return [...rows.values()].sort(mostFirst);
}

function toolBreakdown(sessions: readonly SessionOfScenario[]): ToolUsageRow[] {
  const tools = sessions.flatMap(({ over }) => over?.tools ?? []);
  const rows = breakdown(sessions, ({ over }) =>
    (over?.tools ?? []).map((tool) => ({ key: toolIdOf(tool), label: tool.toolName })),
  );
  const uses = groupBy(tools, toolIdOf);
  return rows.map((row) => {
    const of = uses.get(row.key) ?? [];
    return {
      ...row,
      callCount: of.reduce((sum, { calls }) => sum + calls, 0),
      errorCount: of.reduce((sum, { errors }) => sum + errors, 0),
    };
  });
}

function userBreakdown(sessions: readonly SessionOfScenario[]): UsageOfScenario['userBreakdown'] {
  const visitors = sessions.filter(({ segment }) => segment !== null);
  return [...groupBy(visitors, ({ segment }) => segment ?? '')]
    .map(([segment, of]) => {
      const rated = (is: (rating: number) => boolean) =>
        of.filter(({ rating }) => rating !== null && is(rating)).length;
      return {
        segment,
        positive: rated((rating) => rating >= goodRating),
        neutral: rated((rating) => rating >= neutralRating && rating < goodRating),
        negative: rated((rating) => rating < neutralRating),
        none: of.filter(({ rating }) => rating === null).length,
      };
    })
    .sort((one, other) => (one.segment < other.segment ? -1 : 1));
}

const neutralRating = 3;

function criterionBreakdown(
  sessions: readonly SessionOfScenario[],
): UsageOfScenario['criterionBreakdown'] {
  const grades = groupBy(
    sessions.flatMap(({ criteria }) => criteria),
    ({ criterionId }) => criterionId,
  );
  return [...grades]
    .map(([criterionId, of]) => {
      const [label, kind] = [of[0]?.label ?? null, of[0]?.kind ?? null];
      const count = (passed: boolean | null) => of.filter((one) => one.passed === passed).length;
      return {
        criterionId,
        ...(label !== null && { label }),
        ...(kind !== null && { kind }),
        passCount: count(true),
        failCount: count(false),
        ungradedCount: count(null),
      };
    })
    .sort((one, other) => (one.criterionId < other.criterionId ? -1 : 1));
}

function mostFirst(one: UsageRow, other: UsageRow): number {
  return other.count - one.count || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0);
}
