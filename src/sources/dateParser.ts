/** Reads the dates of thousands of rows: `Date.parse` takes most of the time of reading a sample. */

const WHOLE_SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ZERO = 48;

/** Answers what `Date.parse` would. Hundreds of samples share a day, and the rest is digits. */
export function createDateParser(): (text: string) => number {
  let day = '';
  let dayMs = Number.NaN;
  return (text) => {
    if (!WHOLE_SECOND.test(text)) return Date.parse(text);
    if (!text.startsWith(day) || day === '') {
      day = text.slice(0, 11);
      dayMs = Date.parse(`${day}00:00:00Z`);
    }
    const two = (at: number) => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
    const [hour, minute, second] = [two(11), two(14), two(17)];
    // What no clock shows is for the real parser to judge.
    if (hour > 23 || minute > 59 || second > 59) return Date.parse(text);
    return dayMs + ((hour * 60 + minute) * 60 + second) * 1000;
  };
}
