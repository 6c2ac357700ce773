/**
 * A journey: a persona's goal and its targets. Targets are environments, or clients if no
 * environment is named.
 */
import type { JourneyCriterion } from './criterion.ts';
import type { JudgeConfig } from './judge-config.ts';

export interface SavedJourney {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly goal: string;
  readonly personaId: string;
  readonly swarmId: string | null;
  readonly environmentIds: readonly string[];
  /** The ids of clients; the published API uses their older name, host. */
  readonly hostIds: readonly string[];
  readonly serverAttachmentId: string | null;
  readonly sessionsPerTarget: number;
  readonly maxTurns: number;
  readonly rubric: readonly JourneyCriterion[];
  readonly judgeConfig: JudgeConfig | null;
  /**
   * Names of the tools that sessions may call although the tools may change data; an empty list
   * allows none. If null, this setting blocks no call.
   */
  readonly allowWrites: readonly string[] | null;
  /** The model that plays the persona; null for the installation's default. */
  readonly personaModel: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function journeyNameOf(goal: string): string {
  const line = goal.trim().replaceAll(/\s+/g, ' ');
  const end = line.search(/[.!?](?:\s|$)/);
  const sentence = end > 0 ? line.slice(0, end) : line;
  const points = Array.from(sentence);
  return points.length <= longestName ? sentence : points.slice(0, longestName).join('').trimEnd();
}

const longestName = 80;
