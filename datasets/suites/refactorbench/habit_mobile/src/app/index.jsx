import { useRouter } from "expo-router";
import { useEffect, useState } from "react";
import { ActivityIndicator, Alert, StyleSheet, Text, TouchableOpacity, View } from "react-native";
import { loadHabits, saveHabits } from "@/lib/habit-store";

const DAY_MS = 86_400_000;
const WEEKDAYS = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];

function dayKey(date) {
  return date.toISOString().slice(0, 10);
}

function lastDays(today, count) {
  return Array.from({ length: count }, (_, i) => dayKey(new Date(today.getTime() - (count - 1 - i) * DAY_MS)));
}

function weekday(key) {
  return WEEKDAYS[new Date(`${key}T00:00:00Z`).getUTCDay()];
}

function streakOf(habit, today) {
  const done = new Set(habit.days);
  let time = today.getTime();
  if (!done.has(dayKey(new Date(time)))) time -= DAY_MS;
  let streak = 0;
  while (done.has(dayKey(new Date(time)))) {
    streak += 1;
    time -= DAY_MS;
  }
  return streak;
}

function toggleDay(habit, key) {
  const isDone = habit.days.includes(key);
  const days = isDone ? habit.days.filter((day) => day !== key) : [...habit.days, key].sort();
  return { ...habit, days };
}

function weekScore(habits, today) {
  const week = new Set(lastDays(today, 7));
  const wanted = habits.reduce((sum, habit) => sum + habit.perWeek, 0);
  const made = habits.reduce((sum, habit) => {
    const count = habit.days.filter((day) => week.has(day)).length;
    return sum + Math.min(count, habit.perWeek);
  }, 0);
  return wanted === 0 ? null : Math.round((made / wanted) * 100);
}

function streakText(streak) {
  if (streak === 0) return "no streak";
  return streak === 1 ? "1 day" : `${streak} days`;
}

const styles = StyleSheet.create({
  screen: { flex: 1, padding: 16 },
  title: { fontSize: 24, fontWeight: "600" },
  row: { flexDirection: "row", alignItems: "center", paddingVertical: 8 },
  name: { flex: 1, fontSize: 16 },
  day: { width: 28, height: 28, borderRadius: 14, marginHorizontal: 2 },
  done: { backgroundColor: "#2f855a" },
  open: { backgroundColor: "#e2e8f0" },
  empty: { padding: 24, textAlign: "center" },
});

function DayDot({ habit, day, onToggle }) {
  const isDone = habit.days.includes(day);
  return (
    <TouchableOpacity
      testID={`${habit.id}-${day}`}
      accessibilityLabel={`${habit.name} ${weekday(day)} ${isDone ? "done" : "open"}`}
      style={[styles.day, isDone ? styles.done : styles.open]}
      onPress={() => onToggle(habit.id, day)}
    />
  );
}

function HabitRow({ habit, today, onToggle, onOpen }) {
  return (
    <View style={styles.row} testID={`row-${habit.id}`}>
      <TouchableOpacity testID={`open-${habit.id}`} onPress={() => onOpen(habit.id)}>
        <Text style={styles.name}>{habit.name}</Text>
        <Text>{streakText(streakOf(habit, today))}</Text>
      </TouchableOpacity>
      {lastDays(today, 7).map((day) => (
        <DayDot key={day} habit={habit} day={day} onToggle={onToggle} />
      ))}
    </View>
  );
}

function Header({ habits, today, onlyOpen, onFilter }) {
  const score = weekScore(habits, today);
  return (
    <View>
      <Text style={styles.title}>Habits</Text>
      <Text testID="score">{score === null ? "Nothing planned" : `${score} % of this week`}</Text>
      <TouchableOpacity testID="filter" onPress={() => onFilter(!onlyOpen)}>
        <Text>{onlyOpen ? "Show all" : "Show open ones"}</Text>
      </TouchableOpacity>
    </View>
  );
}

function EmptyList({ onlyOpen, onAdd }) {
  return (
    <View>
      <Text style={styles.empty}>{onlyOpen ? "All done for today" : "No habits yet"}</Text>
      {!onlyOpen && (
        <TouchableOpacity testID="add" onPress={onAdd}>
          <Text>Add one</Text>
        </TouchableOpacity>
      )}
    </View>
  );
}

function useHabits() {
  const [habits, setHabits] = useState(null);
  const [error, setError] = useState(null);

  useEffect(() => {
    let isGone = false;
    loadHabits().then(
      (loaded) => {
        if (!isGone) setHabits(loaded);
      },
      () => {
        if (!isGone) setError("Habits could not be read");
      },
    );
    return () => {
      isGone = true;
    };
  }, []);

  const toggle = async (id, day) => {
    const changed = habits.map((habit) => (habit.id === id ? toggleDay(habit, day) : habit));
    setHabits(changed);
    try {
      await saveHabits(changed);
    } catch {
      setHabits(habits);
      Alert.alert("Not saved", "The change was taken back.");
    }
  };

  return { habits, error, toggle };
}

/** The first screen: habits with their last seven days. */
export default function HabitScreen({ today = new Date() }) {
  const router = useRouter();
  const { habits, error, toggle } = useHabits();
  const [onlyOpen, setOnlyOpen] = useState(false);

  if (error !== null) return <Text testID="error">{error}</Text>;
  if (habits === null) return <ActivityIndicator testID="loading" />;

  const key = dayKey(today);
  const shown = onlyOpen ? habits.filter((habit) => !habit.days.includes(key)) : habits;
  return (
    <View style={styles.screen}>
      <Header habits={habits} today={today} onlyOpen={onlyOpen} onFilter={setOnlyOpen} />
      {shown.length === 0 ? (
        <EmptyList onlyOpen={onlyOpen} onAdd={() => router.push("/habits/new")} />
      ) : (
        shown.map((habit) => (
          <HabitRow
            key={habit.id}
            habit={habit}
            today={today}
            onToggle={toggle}
            onOpen={(id) => router.push(`/habits/${id}`)}
          />
        ))
      )}
    </View>
  );
}
