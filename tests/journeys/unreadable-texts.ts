/**
 * Returns texts of a page with a contrast below 4.5 to 1, or 3 to 1 for large text (WCAG AA).
 * Disabled and hidden elements do not count.
 */
import type { Page } from 'playwright-core';

export function unreadableTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${findThem})()`);
}

/** Evaluated in the page. It is a string so that this file needs no browser types. */
const findThem = `() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [red, green, blue] = channels(colour)
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const [, , , opacity = 1] = channels(colour);
      if (opacity === 1) return colour;
      if (opacity !== 0) return 'a ground one can see through: ' + colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let at = element; at !== null; at = at.parentElement) opacity *= getComputedStyle(at).opacity;
    return opacity;
  };
  const found = [];
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3);
    const isField = element.matches('input, textarea');
    const text = isField
      ? element.value || element.placeholder
      : own.map((node) => node.textContent.trim()).join(' ').trim();
    if (text === '' || element.matches(':disabled') || !element.checkVisibility()) continue;
    const part = isField && element.value === '' ? '::placeholder' : null;
    const { color, fontSize, fontWeight } = getComputedStyle(element, part);
    const ground = groundOf(element);
    // What can be seen through, and what lies below it, is not followed: none of our texts is such.
    const [, , , opaque = 1] = channels(color);
    const isFaint = opaque * opacityOf(element) < 1 || !ground.startsWith('rgb');
    const [dark, bright] = [light(color), light(ground)].sort((one, other) => one - other);
    const ratio = (bright + 0.05) / (dark + 0.05);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    if (isFaint || !(ratio >= (isLarge ? 3 : 4.5))) {
      const how = isFaint ? 'can be seen through' : 'is ' + ratio.toFixed(2);
      found.push(text + ': ' + color + ' on ' + ground + ' ' + how);
    }
  }
  return found;
}`;
