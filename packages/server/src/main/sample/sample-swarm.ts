/**
 * Two kinds of customers of the sample bookshop, each with a goal. The one that asks for weekend
 * hours fails, because the hours of Sunday cannot be read; the one that buys a book succeeds.
 */
import type { PersonaWords, StatedCriterion } from '@proofmark/domain';

export interface SampleJourney {
  readonly persona: PersonaWords;
  readonly name: string;
  readonly goal: string;
  readonly sessionsPerTarget: number;
  readonly rubric: readonly StatedCriterion[];
}

/** The name of the client and of the environment. */
export const sampleTargetName = 'Sample';

export const sampleMaxTurns = 6;

/** The journey that is played on the first start. */
export const weekendJourney: SampleJourney = {
  persona: {
    name: 'Weekend visitor',
    role: 'New customer',
    notes: 'Wants to come by at the weekend and has never been in the shop.',
  },
  name: 'Plan a visit at the weekend',
  goal: 'What are the opening hours on Saturday?\nWhat are the opening hours on Sunday?',
  sessionsPerTarget: 4,
  rubric: rubricOf('opening_hours', 5),
};

export const buyingJourney: SampleJourney = {
  persona: {
    name: 'Careful reader',
    role: 'Returning customer',
    notes: 'Looks a book up before ordering it.',
  },
  name: 'Find a book and order it',
  goal: 'Search for books by "Ida Moreau". Order 2 copies of book 1.',
  // With three calls of each of two tools, detectors would compare their durations, which differ
  // every time.
  sessionsPerTarget: 2,
  rubric: rubricOf('order_book', 5),
};

/** The ids must never change, because findings depend on them. */
function rubricOf(toolName: string, turns: number): StatedCriterion[] {
  return [
    { id: 'no-tool-errors', label: 'No tool fails', predicate: { type: 'noToolErrors' } },
    {
      id: 'tool-called',
      label: `Calls ${toolName}`,
      predicate: { type: 'toolCalledAtLeastOnce', toolName },
    },
    {
      id: 'few-turns',
      label: `Takes fewer than ${turns} turns`,
      predicate: { type: 'turnCountUnder', turns },
    },
  ];
}
