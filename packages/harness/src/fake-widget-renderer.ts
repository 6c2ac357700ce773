import type { Json, WidgetAction, WidgetActivity, WidgetAssertion } from '@proofmark/domain';
import type {
  OpenWidget,
  Picture,
  Rendering,
  WidgetAnswer,
  WidgetHost,
  WidgetRenderer,
  WidgetToShow,
} from '../../server/src/outside/browser/widget-renderer.ts';

/**
 * The behaviour of one fake widget. If one of its functions throws, the renderer throws that error.
 */
export interface FakeWidget {
  readonly rendering?: Rendering | (() => Rendering);
  readonly starts?: (host: WidgetHost) => unknown;
  readonly act?: (action: WidgetAction, host: WidgetHost) => WidgetAnswer | Promise<WidgetAnswer>;
  readonly ask?: (assertion: WidgetAssertion) => WidgetAnswer | Promise<WidgetAnswer>;
  readonly picture?: () => Picture | undefined;
  readonly activity?: () => Partial<WidgetActivity>;
  readonly accessibility?: () => Awaited<ReturnType<OpenWidget['accessibility']>>;
}

export interface FakeRenderer extends WidgetRenderer {
  readonly opened: WidgetToShow[];
  /** The calls of the renderer, in order, such as `open weather`, `act click`, `close weather`. */
  readonly events: string[];
  /** The current and the highest number of open widgets. */
  readonly now: { open: number; most: number };
}

export function fakeRenderer(widgetOf: (widget: WidgetToShow) => FakeWidget = () => ({})) {
  const renderer: FakeRenderer = {
    opened: [],
    events: [],
    now: { open: 0, most: 0 },
    async open(widget, host) {
      const name = nameOf(widget.tool);
      renderer.opened.push(widget);
      renderer.events.push(`open ${name}`);
      const fake = widgetOf(widget);
      const { rendering = rendered } = fake;
      const shown = typeof rendering === 'function' ? rendering() : rendering;
      await fake.starts?.(host);
      renderer.now.open += 1;
      renderer.now.most = Math.max(renderer.now.most, renderer.now.open);
      return openFake(renderer, { name, fake, host, rendering: shown });
    },
    browser: async () => ({ missing: 'There is no browser.' }),
    async close() {
      renderer.events.push('end');
    },
  };
  return renderer;
}

export const rendered: Rendering = { status: 'rendered', elapsedMs: 40 };

const dot: Picture = { png: new Uint8Array([137, 80, 78, 71]), width: 400, height: 300 };

function openFake(
  { events, now }: FakeRenderer,
  {
    name,
    fake,
    host,
    rendering,
  }: {
    readonly name: string;
    readonly fake: FakeWidget;
    readonly host: WidgetHost;
    readonly rendering: Rendering;
  },
): OpenWidget {
  let isOpen = true;
  return {
    rendering,
    async act(action) {
      events.push(`act ${action.kind}`);
      return fake.act?.(action, host) ?? { ok: true };
    },
    async ask(assertion) {
      events.push(`ask ${assertion.kind}`);
      return fake.ask?.(assertion) ?? { ok: true };
    },
    async picture() {
      return fake.picture === undefined ? dot : fake.picture();
    },
    async activity() {
      const nothing = { consoleLines: [], calls: [], messages: [], links: [], refused: [] };
      return { ...nothing, dropped: {}, ...fake.activity?.() };
    },
    accessibility: async () => fake.accessibility?.() ?? [],
    async close() {
      if (!isOpen) return;
      isOpen = false;
      now.open -= 1;
      events.push(`close ${name}`);
    },
  };
}

function nameOf(tool: Json): string {
  return String(tool['name']);
}
