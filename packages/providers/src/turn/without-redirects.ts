const ANSWER = { headers: { 'content-type': 'application/json' } };

/**
 * Requests that follow no redirect: the other server would receive the conversation, and with `x-api-key` the key, since
 * `fetch` only keeps `authorization` from another origin. The answer says where to.
 */
export function withoutRedirects(plain: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const answer = await plain(input, { ...init, redirect: 'manual' });
    const { status } = answer;
    if (status < 300 || status > 399) return answer;
    await answer.body?.cancel();
    const to = originOf(answer.headers.get('location'), input instanceof Request ? input.url : String(input));
    const message = `it redirects to ${to}, which is not followed; if that is right, set base_url to it`;
    return new Response(JSON.stringify({ error: { message } }), { ...ANSWER, status });
  };
}

function originOf(location: string | null, from: string): string {
  return location !== null && URL.canParse(location, from) ? new URL(location, from).origin : 'nowhere';
}
