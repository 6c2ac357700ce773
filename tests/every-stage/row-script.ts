import type {
  ChatOutcome,
  ModelScript,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import type { ModelLine, StageRow } from '@proofmark/harness/stage-row.ts';

/** Answers with line n if the conversation already has n answers of the model. */
export function scriptOf(lines: readonly ModelLine[]): ModelScript {
  return ({ messages }) => {
    const answers = messages.filter(({ role }) => role === 'assistant').length;
    const line = lines[answers];
    // A row expects no request after its lines. This text makes such a request visible.
    return line === undefined ? { text: `There is no line ${answers}.` } : outcomeOf(line);
  };
}

/**
 * Returns the judge's answer in the row of the trial, found by the title of the case. Requests for
 * the cause of a wrong tool choice get the `attribution` of the only row that has one.
 */
export function judgeOf(rows: readonly StageRow[]): ModelScript {
  return ({ messages }) => {
    const asked = JSON.stringify(messages);
    if (asked.includes('did not choose the right tool')) {
      return { text: JSON.stringify(rows.find(({ attribution }) => attribution)?.attribution) };
    }
    const row = rows.find((one) => isJudged(one) && asked.includes(one.name));
    const noGoal = '{"score": 0, "reason": "There is no answer.", "rubricHits": []}';
    return { text: row?.judge ?? noGoal };
  };
}

export function isJudged({ judge, attribution }: StageRow): boolean {
  return judge !== undefined || attribution !== undefined;
}

function outcomeOf(line: ModelLine): ChatOutcome {
  if (line === 'fails') return { status: 500 };
  if (line === 'hangs') return 'hang';
  const toolCalls = line.calls?.map(({ tool, input }) => ({ name: tool, arguments: input }));
  return { ...(line.text !== undefined && { text: line.text }), ...(toolCalls && { toolCalls }) };
}
