/** What scrolls once it is too large for its place: then it is reached, and moved, by keys too, and says what it is. */
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';

export function Scrolling(props: {
  label: string;
  /** A part of the page has its name also where all of it is seen. */
  as?: 'pre' | 'section';
  className?: string;
  children: ReactNode;
}) {
  const { as: Tag = 'pre', label, className, children } = props;
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const measure = useCallback(() => setScrolls(isTooSmall(box.current as HTMLElement)), []);
  // A place that is full does not grow with what is in it, so it is measured after each change too.
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(box.current as HTMLElement);
    return () => observer.disconnect();
  }, [measure]);
  return (
    <Tag
      ref={box as never}
      className={className}
      {...((scrolls || Tag === 'section') && { role: 'region', 'aria-label': label })}
      {...(scrolls && { tabIndex: 0 })}
    >
      {children}
    </Tag>
  );
}

/** Less than a pixel is rounding. */
function isTooSmall({
  scrollHeight,
  clientHeight,
  scrollWidth,
  clientWidth,
}: HTMLElement): boolean {
  return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
}
