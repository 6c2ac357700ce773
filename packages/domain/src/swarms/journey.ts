/** A goal that a persona pursues, against targets: environments, or clients where no environment is named. */
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
  /** Clients; published programs know them by their older name. */
  readonly hostIds: readonly string[];
  readonly serverAttachmentId: string | null;
  readonly sessionsPerTarget: number;
  readonly maxTurns: number;
  readonly rubric: readonly JourneyCriterion[];
  readonly judgeConfig: JudgeConfig | null;
  /** Present, also empty: of the tools held for writing, its sessions call only these. */
  readonly allowWrites: readonly string[] | null;
  /** Who plays the persona; nothing where the installation's own does. */
  readonly personaModel: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The first sentence of the goal, cut at a word. */
export function journeyNameOf(goal: string): string {
  const line = goal.trim().replaceAll(/\s+/g, ' ');
  const end = line.search(/[.!?](?:\s|$)/);
  const sentence = end > 0 ? line.slice(0, end) : line;
  const points = Array.from(sentence);
  return points.length <= longestName ? sentence : points.slice(0, longestName).join('').trimEnd();
}

const longestName = 80;
