import { definePrograms, type Invocation, named } from '../../program.ts';
import { textOf } from '../../word.ts';

/** Programs that show, start and stop services of the machine, and set its network. */
export const machineServices = definePrograms({
  names: named('systemctl service launchctl rc-service sv supervisorctl loginctl initctl ip ifconfig nmcli'),
  unknownOptions: 'any',
  judge: judgeServices,
  examples: {
    safe: [
      'systemctl status nginx',
      'ip a',
      'ip a s eth0',
      'ip -br a',
      'ifconfig eth0',
      'nmcli device status',
      'systemctl show -p MainPID nginx',
      'supervisorctl status',
    ],
    dangerous: [
      'systemctl show nginx',
      'systemctl show -p Environment x',
      'systemctl show --property=MainPID,Environment x',
      'systemctl show -pEnvironment x',
      'supervisorctl -c ./x status',
      'supervisorctl -s http://x.example status',
      'systemctl show-environment',
      'systemctl restart nginx',
      'service nginx stop',
    ],
    blocked: [
      'systemctl reboot',
      'systemctl poweroff',
      'ip link set eth0 down',
      'ip l d eth0',
      'ip l s dev eth0 mtu 9000',
      'ip r d default',
      'nmcli general hostname x',
      'ifconfig eth0 down',
    ],
  },
});

/** Verbs of these programs that shut down or restart the machine. */
const STOPS =
  /^(?:reboot|poweroff|halt|suspend|hibernate|kexec|rescue|emergency|isolate|soft-reboot)(?:\.target)?$/;

const READ_ONLY =
  /^(?:status|show|list|list-.*|is-active|is-enabled|is-failed|cat|print|print-.*|help|get-default|a|addr|address|r|route|ro|l|link|n|neigh|rule|maddress|show-(?!env).*|session-status|user-status|general|connection|device|dev|con)$/;

const ACTS =
  /^(?:add|del|delete|set|flush|change|replace|append|up|down|start|stop|restart|enable|disable|mask|unmask|edit|exec|netns|kill|reset-failed|modify|connect|disconnect|save|restore|\d+\.\d+\.\d+\.\d+.*)$/s;

/** Another machine, another root, or commands from a file. */
const ELSEWHERE = /^(?:-H|-M|--host|--machine|--batch|-b$|-ba|--root|--image)/;

function judgeServices({ program, words, context, span }: Invocation): void {
  const texts = words.map((word) => textOf(word) ?? '?');
  if (texts.some((text) => STOPS.test(text)))
    return context.report.raise('blocked', 'shutdown', { text: 'stops or restarts the machine', span });
  if (isReadOnly(program, texts)) return;
  const level = /^(?:ip|ifconfig|nmcli)$/.test(program) ? 'blocked' : 'dangerous';
  context.report.raise(level, 'system-change', {
    text: 'changes system services or the network',
    span,
  });
}

function isReadOnly(program: string, texts: readonly string[]): boolean {
  if (texts.some((text) => ACTS.test(text))) return false;
  // `ifconfig eth0` shows one device.
  if (program === 'ifconfig' && texts.length === 1) return true;
  if (texts.some((text) => ELSEWHERE.test(text)) || !isPlain(program, texts)) return false;
  const nouns = texts.filter((text) => !text.startsWith('-'));
  // `service nginx status`: the action is the last word.
  const verb = /^(?:service|sv|rc-service)$/.test(program) ? texts.at(-1) : nouns[0];
  return READ_ONLY.test(verb ?? '') || nouns.length === 0 || texts.includes('--status-all');
}

/** Whether it requests only its ordinary output: no secrets, no other server, no name that is set. */
function isPlain(program: string, texts: readonly string[]): boolean {
  switch (program) {
    case 'systemctl':
      return !showsEnvironment(texts);
    case 'supervisorctl':
      return !texts.some((text) => /^(?:-[cs]|--(?:conf|serv))/.test(text));
    case 'nmcli':
      return texts.every((text) => text.startsWith('-') || NETWORK_WORDS.test(text));
    case 'ip':
      return asksOfNetwork(texts);
    default:
      return true;
  }
}

/** Words after `nmcli` that only show: `nmcli general hostname x` sets it. */
const NETWORK_WORDS = /^(?:general|connection|con|c|device|dev|d|status|show|list|permissions|wifi)$/;

/** `ip a s eth0`, `ip route get`: verbs may be abbreviated, and `s` sets a link but shows everything else. */
function asksOfNetwork(texts: readonly string[]): boolean {
  const [object, verb = 'show'] = texts.filter((text) => !text.startsWith('-'));
  return (
    /^(?:s|sh\w*|l|li\w*|ls\w*|g|get?|h\w*)$/.test(verb) &&
    !(object?.startsWith('l') === true && verb === 's')
  );
}

/** `systemctl show x`, `-p Environment`: all properties, or this one. */
function showsEnvironment(texts: readonly string[]): boolean {
  if (!texts.includes('show')) return false;
  const chosen = texts.some((text) => /^(?:-[pP]|--prop)/.test(text));
  return !chosen || texts.some((text) => /(?:^|[=,]|^-[pP])Env/i.test(text));
}
