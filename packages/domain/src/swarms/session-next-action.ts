import { causeOf } from '../chain/trial-advice.ts';
import type { FailureCategory, StageReason, StageResultRow } from '../chain/vocabulary.ts';

export function sessionNextAction(category: FailureCategory | undefined): string {
  return category === undefined ? lookAtIt : actions[category];
}

export function sessionAdvice(
  category: FailureCategory | undefined,
  rows: readonly StageResultRow[] = [],
): string | undefined {
  if (category === undefined) {
    return rows.some(({ reason }) => reason === 'blockedByPolicy') ? askThePolicy : undefined;
  }
  const cause = causeOf(rows);
  return category === 'setup' && cause !== undefined ? ofSetup[cause] : undefined;
}

const lookAtIt =
  'Read what was recorded of this session; nothing in it shows at which stage it went wrong.';

const askThePolicy =
  'A policy blocked a call of this session; name that tool in allowWrites, allow it in the client, or change the goal so that it needs no such call.';

const actions: Readonly<Record<FailureCategory, string>> = {
  setup:
    'Read why this session ended and check the part that the reason names: the credentials, the environment, the model provider, or the address and the network of the server.',
  metadata:
    'Compare the quoted evidence with the names, descriptions and schemas of the tools, and make clear which tool serves this request.',
  selection:
    'Compare the tools the checks ask for with the tools the assistant called, then decide whether the goal, the checks or the tool list has to change.',
  arguments:
    'Compare the calls and their arguments with those the checks ask for and with the input schema of the tool.',
  serverData:
    'Find the failing tool call and look in the server for the reason it gave no usable result.',
  userValue:
    'Compare the failed check, or the reason of the judge, with the calls and the answers of the assistant, and decide which of them is wrong.',
  evaluator:
    'Look at the model that plays the user, or at the check that could not be graded, and run the journey again; this session says nothing about the server.',
};

const ofSetup: Partial<Readonly<Record<StageReason, string>>> = {
  connectFailed:
    'Look at the server: check that it runs, that its address or its command is that of an MCP server, and read its answer.',
  toolsListFailed:
    'Look in the server for the reason it could not list its tools; the record of this session has its answer.',
  egressUnverified:
    'Check the address and the network between the runner and the server: there was no answer.',
  providerError:
    'Check the model provider, its key and its limits, then run again; this session says nothing more about the server.',
  lifecycleStopped:
    'If the run was stopped, run the journey again; if it ran out of time, find out what took so long; if the credits were used up, run it again when new credits are available.',
  protocolError:
    'Look at the connection between the runner and the server: it was lost, or the server was silent for too long, during a call.',
};
