import { recordingStates } from '@proofmark/domain';
import * as z from 'zod';

const Count = z.number().int().min(0);
const Anything = z.record(z.string(), z.unknown());

export const EvalIterationRecordingState = z
  .object({
    state: z.enum(recordingStates).meta({
      description:
        'kept: the recording can be read. tooLarge: it exceeded the size limit of a recording. off: the suite does not record this trial. expired: retention removed it.',
    }),
    bytes: Count.meta({ description: 'The size of the content before compression.' }),
    hash: z
      .string()
      .nullable()
      .meta({ description: 'The SHA-256 of the content; null if there is no content.' }),
  })
  .meta({
    id: 'EvalIterationRecordingState',
    description:
      'An addition of Proofmark beyond the specification: the state of the recording of the trial. Absent if the trial was executed elsewhere or has not ended.',
  });

export const EvalIterationRecording = z
  .object({
    schemaVersion: z.literal(1),
    servers: z.array(Anything).meta({
      description: 'For each server: serverName, its answer to initialize and its listed tools.',
    }),
    exchanges: z.array(Anything).meta({
      description:
        'In the order in which they began. model: a request with its hash, and the answer; a later request contains only its new part, and after is the index of the request before it. call: a tool call, with nth as its number among equal calls, and its result or error; task has the states of the task that gave the result. ask: a request for a prompt or a resource. sampling, elicitation: a request of a server. A mark {"$redacted": n} replaces each secret.',
    }),
    masked: z.array(z.string()).optional().meta({
      description:
        'The kind of the secret that each mark replaces, by its number; absent if there is no mark.',
    }),
  })
  .meta({
    id: 'EvalIterationRecording',
    description: 'The requests of a trial to models and servers, with their answers.',
  });
