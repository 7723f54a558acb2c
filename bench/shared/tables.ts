/** Prints lines and tables in Markdown. */

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableHead(head), ...rows.map(tableRow)].join('\n');
}

/** The first two lines of a table, for a table that is printed row by row. */
export function tableHead(head: readonly string[]): string {
  return [tableRow(head), tableRow(head.map((_, column) => (column === 0 ? '---' : '---:')))].join('\n');
}

export function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Formats a number with three significant digits. */
export function toText(number: number): string {
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return String(Number(number.toPrecision(number >= 1 ? 3 : 2)));
}
