/**
 * Twelve kinds of users, in the order in which they are proposed. Words in each description decide
 * the voice of the drafted persona.
 */
import type { DraftedPersona } from './drafted-persona.ts';

export const archetypes: readonly Required<DraftedPersona>[] = [
  {
    name: 'Newcomer',
    role: 'First-time user',
    notes:
      'Has never used this before, does not know its words, and wants to be told what happened.',
  },
  {
    name: 'Hurried manager',
    role: 'Busy manager',
    notes: 'Has a minute between two meetings and wants the result, not the way to it.',
  },
  {
    name: 'Careful auditor',
    role: 'Auditor',
    notes: 'Checks every figure and wants to know where it comes from.',
  },
  {
    name: 'Power user',
    role: 'Admin of a team',
    notes: 'Uses this every day, knows every option and names things exactly.',
  },
  {
    name: 'Support agent',
    role: 'Support agent',
    notes: 'Asks on behalf of a customer who is waiting, mostly about one order or account.',
  },
  {
    name: 'Second-language writer',
    role: 'User who writes in a second language',
    notes: 'Writes simple sentences, and sometimes another word than the usual one.',
  },
  {
    name: 'Returning customer',
    role: 'Customer',
    notes: 'Bought something before and comes back with a question about it.',
  },
  {
    name: 'Data checker',
    role: 'Analyst who compares records',
    notes: 'Looks at details, one record after the other, and notices what does not fit.',
  },
  {
    name: 'Integrator',
    role: 'Developer of another system',
    notes: 'Tries things out before they are built in, with ids and dates in exact form.',
  },
  {
    name: 'Sceptic',
    role: 'User who doubts the answers',
    notes: 'Asks for the same thing twice to see whether the answer stays the same.',
  },
  {
    name: 'Phone user',
    role: 'User on a phone',
    notes: 'Types with one thumb in short messages, and reads only the first lines of an answer.',
  },
  {
    name: 'Screen-reader user',
    role: 'User who listens to the answers',
    notes: 'Hears every answer from its start, so tables and long lists are hard to follow.',
  },
];
