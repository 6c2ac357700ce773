import { isRecord, type Json } from '../kernel/json.ts';
import { notMadeReasons, type ToolCall } from './transcript.ts';

/**
 * Reads tool calls from a trace or from a reporter (a program that runs trials elsewhere). An
 * unreadable call is kept without a name: it counts as a call but matches no expectation.
 */
export function readToolCalls(stored: readonly unknown[]): ToolCall[] {
  return stored.map((call) => {
    const fields = asRecord(call) ?? {};
    const name = [fields.toolName, fields.tool, fields.name].find((one) => typeof one === 'string');
    const notMade = notMadeReasons.find((reason) => reason === fields.notMade);
    const { serverName, serverId } = fields;
    return {
      toolName: typeof name === 'string' ? name : '',
      arguments:
        asRecord(fields.arguments) ?? asRecord(fields.args) ?? asRecord(fields.input) ?? {},
      ...(typeof serverName === 'string' && { serverName }),
      ...(typeof serverId === 'string' && { serverId }),
      ...(notMade !== undefined && { notMade }),
    };
  });
}

export function asRecord(value: unknown): Json | undefined {
  return isRecord(value) ? value : undefined;
}
