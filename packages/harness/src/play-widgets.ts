import type { WidgetAction, WidgetAssertion } from '@proofmark/domain';
import { type FakeWidget, fakeRenderer } from './fake-widget-renderer.ts';
import type { FakeAnswer, FakeRequest } from './mcp-servers/fake-mcp-server.ts';
import { type Definition, type PlayOptions, type Step, trialPlayer } from './play-trial.ts';
import type { ModelLine } from './stage-row.ts';

type Json = Record<string, unknown>;

export function uiTool(name: string, meta: Json = {}): Json {
  const ui = { resourceUri: `ui://shop/${name}`, ...meta };
  return { name, inputSchema: { type: 'object' }, _meta: { ui } };
}

export const plainTool = (name: string): Json => ({ name, inputSchema: { type: 'object' } });

export const page: FakeAnswer = {
  contents: [
    { uri: 'ui://shop/form', mimeType: 'text/html;profile=mcp-app', text: '<p>An order</p>' },
  ],
};

/**
 * Returns responses of a shop server. Its tools `form` and `list` have widgets, `price` has none,
 * and only widgets may call `save`.
 */
export function shop(more: Readonly<Record<string, FakeAnswer>> = {}) {
  return {
    'tools/list': {
      tools: [
        uiTool('form'),
        uiTool('list'),
        plainTool('price'),
        { ...plainTool('save'), _meta: { ui: { visibility: ['app'] } } },
      ],
    },
    'resources/read': page,
    ...more,
  };
}

export function callOf(toolName: string, more: Json = {}): Step {
  const step = { id: `call-${toolName}`, kind: 'toolCall', serverName: 'Weather', toolName };
  return { ...step, arguments: { title: 'Emma' }, ...more } as Step;
}

export function act(
  toolName = 'form',
  action: WidgetAction = { kind: 'click', target: { text: 'Order' } },
  id = 'act',
): Step {
  return { id, kind: 'interact', toolName, action };
}

export function see(
  assertion: WidgetAssertion = { kind: 'textVisible', toolName: 'form', text: 'Emma' },
  id = 'see',
): Step {
  return { id, kind: 'assert', assertion };
}

export function namesOfTool({ message }: FakeRequest): unknown {
  return (message['params'] as { name?: unknown }).name;
}

export function widgetPlayer() {
  const { play, close } = trialPlayer();
  return {
    close,
    async playWidgets(
      definition: Definition,
      widget: FakeWidget | ((name: string) => FakeWidget) = {},
      { lines = [], ...options }: PlayOptions & { readonly lines?: readonly ModelLine[] } = {},
    ) {
      const renderer = fakeRenderer(({ tool }) =>
        typeof widget === 'function' ? widget(String(tool['name'])) : widget,
      );
      const played = await play(definition, lines, {
        answers: shop(),
        ...options,
        dependencies: { widgets: renderer, ...options.dependencies },
      });
      return { ...played, renderer };
    },
  };
}
