/**
 * Two kinds of customers of the sample bookshop, each with a goal. The customer who asks for
 * weekend hours fails, because the hours of Sunday cannot be read. The customer who buys a book
 * succeeds.
 */
import type { PersonaWords, StatedCriterion } from '@proofmark/domain';

export interface SampleJourney {
  readonly persona: PersonaWords;
  readonly name: string;
  readonly goal: string;
  readonly sessionsPerTarget: number;
  readonly rubric: readonly StatedCriterion[];
}

export const sampleTargetName = 'Sample';

export const sampleMaxTurns = 6;

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
  // Two sessions make at most two calls of each tool. From three calls on, detectors would compare
  // the tools' durations, which differ in every run.
  sessionsPerTarget: 2,
  rubric: rubricOf('order_book', 5),
};

/**
 * Returns the criteria of a journey. Their ids must never change, because stored findings refer to
 * them.
 */
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
