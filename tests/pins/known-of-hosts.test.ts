/** The guide states what the code knows of products, and from where. */
import { readFileSync } from 'node:fs';
import { clientTemplateIds, knownOfHost, knownOfHosts, sourcesOfHosts } from '@proofmark/domain';
import { expect, test } from 'vitest';

const guide = readFileSync(
  new URL('../../docs/guides/clients-and-environments.md', import.meta.url),
  'utf8',
);
const products = clientTemplateIds.filter((id) => id !== 'proofmark');

test.each(products)('the guide has what is known of %s', (id) => {
  const { handshake, showsWidgets } = knownOfHosts[id];
  const declared = handshake && (handshake.abilities.join(', ') || 'none');
  const cells = [
    `\`${id}\``,
    handshake?.revision ?? 'not known',
    declared ?? 'not known',
    showsWidgets ? 'yes' : 'not known',
  ];
  expect(guide.split('\n')).toContain(`| ${cells.join(' | ')} |`);
});

test('the guide names the sources with their dates', () => {
  const text = guide.replaceAll('\n', ' ');
  for (const { name, date } of Object.values(sourcesOfHosts)) {
    expect(text).toContain(`${name} (${date})`);
  }
});

test('each template says it with the date, and says so if nothing is known', () => {
  expect(knownOfHost('vscode')).toBe(
    'Known of the product: revision 2025-06-18 with elicitation, roots, sampling and tasks (2026-03-23); widgets (2026-10-27).',
  );
  expect(knownOfHost('n8n')).toBe(
    'Known of the product: revision 2025-06-18 with no abilities (2026-03-23).',
  );
  expect(knownOfHost('notion')).toBe('Nothing is known of its protocol.');
  expect(knownOfHost('proofmark')).toBeUndefined();
});
