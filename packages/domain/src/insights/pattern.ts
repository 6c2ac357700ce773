/**
 * The normal form of an error or a reason: varying parts are replaced, so that equal problems have
 * equal texts.
 */
import { cutText } from './candidate.ts';

const patternLength = 200;
const wordsOfSlug = 6;
/** The maximum number of characters to read. More text would cost time and add nothing new. */
const readLength = 4_000;

export function patternOf(text: string): string {
  const normal = text
    .slice(0, readLength)
    .toWellFormed()
    .toLowerCase()
    .replaceAll(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>]+/g, '<url>')
    .replaceAll(/"[^"]*"|(?<!\w)'[^']*'(?!\w)|`[^`]*`|“[^”]*”/g, '<text>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b(?=\w*\d)(?=\w*[a-z_])[\w-]+/g, '<id>')
    .replaceAll(/\b[0-9a-f]{8,}\b/g, '<id>')
    .replaceAll(/\d+(?:[.,:]\d+)*/g, '<number>')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cutText(normal, patternLength);
}

export function slugOf(pattern: string): string {
  const words = pattern.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, wordsOfSlug).join('-');
}
