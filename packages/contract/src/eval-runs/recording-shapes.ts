import { recordingStates } from '@proofmark/domain';
import * as z from 'zod';

const Count = z.number().int().min(0);
const Anything = z.record(z.string(), z.unknown());

export const EvalIterationRecordingState = z
  .object({
    state: z.enum(recordingStates).meta({
      description:
        'kept: it can be read. tooLarge: it was more than is kept of a trial. off: the suite does not keep it. expired: retention has removed it.',
    }),
    bytes: Count.meta({ description: 'Of its content, before it is compressed.' }),
    hash: z.string().nullable().meta({ description: 'SHA-256 of its content; null without one.' }),
  })
  .meta({
    id: 'EvalIterationRecordingState',
    description:
      'An addition of Proofmark beyond the specification: whether it is kept what the trial said to models and servers. Absent where the trial was run elsewhere, or has not ended.',
  });

export const EvalIterationRecording = z
  .object({
    schemaVersion: z.literal(1),
    servers: z.array(Anything).meta({
      description: 'Each with serverName, its answer to initialize and the tools that it listed.',
    }),
    exchanges: z.array(Anything).meta({
      description:
        'In the order in which they were begun. model: a request with its hash, and the answer; of a later request only what is new is said, after names the place of the one before. call: a call of a tool, nth of equal ones, with its result or error; task has the states of the task with which it was answered. ask: prompts and resources. sampling, elicitation: what a server asked. Where a secret stood there is a mark, {"$redacted": n}.',
    }),
    masked: z.array(z.string()).optional().meta({
      description: 'What kind of secret stood at each mark, by its number; absent where none did.',
    }),
  })
  .meta({
    id: 'EvalIterationRecording',
    description: 'What a trial said to models and servers, and what they answered.',
  });
