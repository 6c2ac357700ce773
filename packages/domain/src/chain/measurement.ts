/** The type allows only reasons that fit the state. */
import type { reasonsOf, StageState } from './vocabulary.ts';

export type Measurement = {
  [State in StageState]: {
    readonly state: State;
    readonly reason: (typeof reasonsOf)[State][number];
    readonly pointers?: Pointers;
  };
}[StageState];

export interface Pointers {
  readonly spans?: readonly { readonly id: string; readonly promptIndex?: number }[];
  readonly turns?: readonly { readonly promptIndex?: number }[];
  readonly reasons?: readonly (string | undefined)[];
}

type ReasonOf<State extends StageState> = (typeof reasonsOf)[State][number];

export function passed(reason: ReasonOf<'passed'>, pointers: Pointers = {}): Measurement {
  return { state: 'passed', reason, pointers };
}

export function failed(reason: ReasonOf<'failed'>, pointers: Pointers = {}): Measurement {
  return { state: 'failed', reason, pointers };
}

export function notMeasured(reason: ReasonOf<'notMeasured'>): Measurement {
  return { state: 'notMeasured', reason };
}
