/** Reads the metrics page as Prometheus does. */

interface MetricsText {
  text: string;
}

export async function readMetrics(url: string): Promise<MetricsText> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`The page of metrics responded with ${response.status}.`);
  return { text: await response.text() };
}

/** The value of a series such as `name{label="value"}`; 0 if it does not exist yet. */
export function metricIn({ text }: MetricsText, place: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${place} `));
  return line === undefined ? 0 : Number(line.slice(place.length + 1));
}
