import type {
  AttributionEvidence,
  ClientConfig,
  EvalCaseDefinition,
  FailureCategory,
  Stage,
  StageEvidence,
  StageReason,
  ToolPolicy,
  TrialStatus,
} from '@proofmark/domain';
import type { StageServer } from './stage-servers.ts';

export type ModelLine =
  | {
      readonly text?: string;
      readonly calls?: readonly { readonly tool: string; readonly input: object }[];
    }
  /** `fails`: the provider returns an error. `hangs`: it never responds. */
  | 'fails'
  | 'hangs';

export interface StageRow {
  readonly name: string;
  readonly server: StageServer;
  readonly definition: Omit<EvalCaseDefinition, 'title'>;
  readonly model: readonly ModelLine[];
  /** The judge's response; absent if the case has no judge. */
  readonly judge?: string;
  readonly attribution?: AttributionEvidence;
  readonly client?: Partial<ClientConfig>;
  readonly toolPolicy?: ToolPolicy;
  /** Whether the service's own outgoing connections work (default: true). */
  readonly egressWorks?: boolean;
  readonly trialTimeoutMs?: number;
  readonly expected: {
    readonly status: TrialStatus;
    readonly result: 'passed' | 'failed' | null;
    /** The first failed stage; absent if no stage failed. */
    readonly stage?: Stage;
    readonly reason?: StageReason;
    readonly evidence?: StageEvidence;
    readonly category?: FailureCategory;
    readonly others?: Partial<Record<Stage, StageReason>>;
    readonly error?: string;
  };
}

export const ask = { id: 'ask', kind: 'prompt', prompt: 'What is the weather in Rome?' } as const;
export const expectWeather = {
  id: 'calls-weather',
  kind: 'assert',
  assertion: { type: 'toolCalledWith', toolName: 'weather', args: { args: { city: 'Rome' } } },
} as const;
export const expectSunny = {
  id: 'says-sunny',
  kind: 'assert',
  assertion: { type: 'responseContains', needle: 'sunny' },
} as const;
export const weatherOfRome = { calls: [{ tool: 'weather', input: { city: 'Rome' } }] };
export const sunny = { text: 'It is sunny in Rome.' };
export const whole = [ask, expectWeather, expectSunny];
export const goalOnly = { steps: [ask], expectedOutput: 'It says that it is sunny.' };
export const allStages = (reason: StageReason) =>
  ({
    connection: reason,
    discovery: reason,
    selection: reason,
    call: reason,
    response: reason,
    userValue: reason,
  }) as const;
