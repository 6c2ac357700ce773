import type { OutputOf } from '@proofmark/contract';
import {
  type Json,
  mayWidgetCall,
  type RenderStatus,
  trialSentence,
  type WidgetAction,
  type WidgetCall,
} from '@proofmark/domain';
import type { OpenWidget, WidgetHost } from '../../../outside/browser/widget-renderer.ts';
import type { McpSession } from '../../../outside/mcp/mcp-gateway.ts';

type Preview = OutputOf<'previewWidget'>;

const mostCalls = 100;
const mostPictureBytes = 8 * 1024 * 1024;

/**
 * The client of a previewed widget. It awaits `before` ahead of each tool call, because the call
 * must be audited before the tool can do anything.
 */
export class PreviewHost implements WidgetHost {
  readonly calls: WidgetCall[] = [];
  readonly #session: McpSession;
  readonly #tools: readonly Json[];
  readonly #before: (toolName: string) => Promise<void>;
  #asked = 0;

  constructor(
    session: McpSession,
    tools: readonly Json[],
    before: (toolName: string) => Promise<void>,
  ) {
    this.#session = session;
    this.#tools = tools;
    this.#before = before;
  }

  async callTool(toolName: string, input: Json): Promise<Json> {
    this.#count();
    const tool = this.#tools.find(({ name }) => name === toolName);
    if (tool !== undefined && !mayWidgetCall(tool)) {
      const message = `The tool ${JSON.stringify(toolName)} is not available to widgets, because its _meta.ui.visibility does not contain "app", so it was not called.`;
      this.calls.push({ toolName, arguments: input, outcome: 'refused', message });
      throw new Error(message);
    }
    try {
      await this.#before(toolName);
      const { result, errorText } = await this.#session.callTool(toolName, input);
      const outcome = result['isError'] === true ? 'error' : 'answered';
      const message = trialSentence(errorText ?? '');
      this.calls.push({
        toolName,
        arguments: input,
        outcome,
        ...(message !== '' && { message }),
      });
      return result;
    } catch (error) {
      const message = trialSentence(error);
      this.calls.push({ toolName, arguments: input, outcome: 'error', message });
      throw new Error(message);
    }
  }

  async readResource(uri: string): Promise<Json> {
    this.#count();
    return this.#session.readResource(uri).catch((error: unknown) => {
      throw new Error(trialSentence(error));
    });
  }

  #count(): void {
    this.#asked += 1;
    if (this.#asked <= mostCalls) return;
    throw new Error(
      `A widget may send its server at most ${mostCalls} requests, so this request was not sent.`,
    );
  }
}

export function unseen(status: RenderStatus, message: string | null): Preview {
  return {
    status,
    message,
    elapsedMs: null,
    size: null,
    dropped: {},
    accessibility: null,
    consoleLines: [],
    calls: [],
    messages: [],
    links: [],
    refused: [],
    answers: [],
    pictures: [],
  };
}

/**
 * Performs the actions in the widget. Takes a picture before the first action, after each action,
 * and at the end.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one visit to a widget from its first picture to its last, with one state.
export async function lookAtWidget(
  open: OpenWidget,
  actions: readonly WidgetAction[],
  readMs: number,
): Promise<Omit<Preview, 'calls'>> {
  const { status, elapsedMs, message } = open.rendering;
  const answers: Preview['answers'] = [];
  const pictures: Preview['pictures'] = [];
  let [bytes, droppedPictures] = [0, 0];
  let ended: RenderStatus = status;
  const takePicture = async (afterAction: number | null) => {
    const taken = await open.picture();
    if (taken === undefined) {
      ended = 'render_error';
      return;
    }
    const { png, width, height } = taken;
    bytes += png.length;
    if (bytes > mostPictureBytes) droppedPictures += 1;
    else pictures.push({ afterAction, width, height, png: Buffer.from(png).toString('base64') });
  };
  if (status === 'rendered') await takePicture(null);
  for (const [index, action] of actions.entries()) {
    if (ended !== 'rendered') break;
    const answer = await open.act(action);
    answers.push({ ok: answer.ok, reason: answer.ok ? null : answer.reason });
    if (!answer.ok && answer.broken) ended = 'render_error';
    else await takePicture(index);
    if (!answer.ok) break;
  }
  const accessibility = ended === 'rendered' ? await open.accessibility() : null;
  const { calls: _calls, size, dropped, ...activity } = await open.activity();
  return {
    status: ended,
    elapsedMs: elapsedMs === undefined ? null : Math.round(readMs + elapsedMs),
    message: message ?? (ended === status ? null : 'The page of the widget crashed.'),
    consoleLines: [...activity.consoleLines],
    messages: [...activity.messages],
    links: [...activity.links],
    refused: [...activity.refused],
    size: size === undefined ? null : { width: size.width ?? null, height: size.height ?? null },
    dropped: { ...dropped, ...(droppedPictures > 0 && { pictures: droppedPictures }) },
    accessibility: accessibility === null ? null : [...accessibility],
    answers,
    pictures,
  };
}
