/** Results must reach the model as content blocks: text as text, and images never inside JSON. */
import { called, calls, promptCase, sunny } from '../cases.ts';
import { passed } from '../expectations.ts';
import { textOf } from '../lines.ts';
import { everything } from '../servers/real-servers.ts';
import { says, weather } from '../servers/weather-server.ts';
import type { RunSituation, SeenRun } from '../situation.ts';

/** The beginning of a PNG, in base64. */
const png = 'iVBORw0KGgo';

function textsToModel({ chats }: SeenRun): string[] {
  const last = chats.at(-1)?.messages ?? [];
  return last.flatMap(({ role, content }) => {
    if (role !== 'tool' && role !== 'user') return [];
    if (typeof content === 'string') return [content];
    const parts: readonly { type: string; text?: string }[] = content ?? [];
    return parts.flatMap(({ type, text }) => (type === 'text' ? [textOf(text)] : []));
  });
}

export const images: readonly RunSituation[] = [
  {
    name: 'text reaches the model as text',
    servers: { A: weather({ weather: says('It is "sunny".') }) },
    cases: [promptCase('The weather?', [called('weather')], [calls(['weather', {}]), sunny])],
    expected: { verdict: 'passed', trials: [passed()] },
    also: (seen) =>
      textsToModel(seen).includes('It is "sunny".')
        ? []
        : [`It was told ${textsToModel(seen).at(-1)}`],
  },
  {
    name: 'an image of server-everything is not told as base64',
    servers: { A: everything() },
    cases: [
      promptCase(
        'Show the image.',
        [called('get-tiny-image')],
        [calls(['get-tiny-image', {}]), sunny],
      ),
    ],
    expected: { verdict: 'passed', trials: [passed()] },
    also: (seen) => {
      const texts = textsToModel(seen);
      const isBase64 = texts.some((text) => text.includes(png));
      const isText = texts.some((text) => text.startsWith("Here's the image you requested:"));
      return [
        ...(isBase64 ? ['The image was told as text.'] : []),
        ...(isText ? [] : [`The text was not told as text: ${texts.at(-1)?.slice(0, 80)}`]),
      ];
    },
  },
];
